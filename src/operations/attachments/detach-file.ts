import { unwrap } from '../../core/command.ts'
import type { Attachment } from '../../core/attachment.ts'
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import { attachmentPath } from '../../workspaces/files/attachment-files.ts'
import { defineOperation } from '../shared/operation.ts'
import { dropUnrecorded } from './drop-unrecorded.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/**
 * Removes an attachment from a card. The row is deleted first. If the file cannot be deleted, `gc` deletes the file
 * later.
 */
export const detachFile = defineOperation({
  name: 'detach',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Remove a file from a card, and delete the file.',
  schemas: ({ z, cardRef, attachmentView }) => ({
    input: z.object({
      task: cardRef,
      file: z.string().describe('The name of the file, or the id of the attachment'),
    }),
    output: attachmentView,
  }),
  run: async ({ store, actor, options: { home } }, { task: typed, file }) => {
    const { board, id: task } = await resolveTask(store, typed)
    const row = choose(await store.attachments(board, task), file, task)
    unwrap(await store.decide({ verb: 'detach', board, actor, input: { task, id: row.id } }))
    await dropUnrecorded(store, home, { board, task, files: [row] })
    return { ...row, path: attachmentPath(home, row) }
  },
})

function choose(rows: readonly Attachment[], wanted: string, task: TaskId): Attachment {
  const named = rows.filter(({ filename }) => filename === wanted)
  const [only, second] = rows.some(({ id }) => id === wanted) ? rows.filter(({ id }) => id === wanted) : named
  if (only === undefined)
    throw new BoardError(
      'attachment_not_found',
      `Card ${task} has no file ${wanted}. To list its files: muster attachments ${task}`,
      { details: { id: wanted, task } },
    )
  if (second !== undefined)
    throw new BoardError(
      'ambiguous_id',
      `Card ${task} has several files named ${wanted}. Give the id of one: ${named.map(({ id }) => id).join(', ')}.`,
      { details: { ids: named.map(({ id }) => id) } },
    )
  return only
}
