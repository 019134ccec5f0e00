import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { trimmedTo } from '../../core/text.ts'
import { newCommentId } from '../../util/mint.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/** Adds a comment. The author of the comment is the caller, not a field of the input. */
export const commentOnTask = defineOperation({
  name: 'comment',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Comment on a card; its next worker reads the comment.',
  schemas: ({ z, commentSchema, line, cardRef }) => ({
    input: z.object({
      task: cardRef,
      body: line.describe('The comment'),
      maxLength: z
        .int()
        .min(1)
        .nullable()
        .default(null)
        .describe('Shorten the comment to this many characters, and mark the cut'),
    }),
    output: commentSchema,
  }),
  run: async ({ store, actor }, { task: typed, body, maxLength }) => {
    const { board, id: task } = await resolveTask(store, typed)
    const text = maxLength === null ? body : trimmedTo(body.trim(), maxLength)
    const { id } = unwrap(
      await store.decide({ verb: 'comment', board, actor, input: { task, id: newCommentId(), body: text } }),
    )
    const comment = await store.comment(id)
    if (comment === null) throw new BoardError('internal', 'The comment was saved but cannot be read back.')
    return comment
  },
})
