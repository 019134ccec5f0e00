import { unwrap } from '../../core/command.ts'
import { BoardError } from '../../core/errors.ts'
import { trimmedTo } from '../../core/text.ts'
import type { TaskId } from '../../core/ids.ts'
import { newCommentId, newTaskId } from '../../util/mint.ts'
import { mentionedAgents } from '../shared/mentioned-agents.ts'
import type { MentionedAgent } from '../shared/mentioned-agents.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/** Adds a comment. The author of the comment is the caller, not a field of the input. */
export const commentOnTask = defineOperation({
  name: 'comment',
  kind: 'command',
  actor: 'worker',
  scope: 'card',
  summary: 'Comment on a card; its next worker reads the comment.',
  schemas: ({ z, commentSchema, line, cardRef, taskId }) => ({
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
    output: commentSchema.extend({
      /** The agents that a person mentions in the comment. */
      mentions: z
        .array(
          z.object({
            agent: z.string(),
            /** The card that the comment created for the agent. */
            card: taskId.nullable(),
            /** The command that creates a card for the agent. */
            command: z.string().nullable(),
            /** Why no card can be created for the agent. */
            problem: z.string().nullable(),
          }),
        )
        .readonly(),
    }),
  }),
  run: async (context, { task: typed, body, maxLength }) => {
    const { store, actor } = context
    const { board, id: task } = await resolveTask(store, typed)
    const text = maxLength === null ? body : trimmedTo(body.trim(), maxLength)
    const { mode, agents } = await mentionsOf(context, board, text)
    const possible = mode === 'create' ? agents.filter(isPossible) : []
    // Cards with the same creation time are listed by id. So sorted ids keep the order of the mentions.
    const ids = possible.map(() => newTaskId()).toSorted()
    const cards = possible.flatMap(({ agent }, at) => (ids[at] === undefined ? [] : [{ agent, card: ids[at] }]))
    const input = { task, id: newCommentId(), body: text, mentions: cards }
    const { id, created } = unwrap(await store.decide({ verb: 'comment', board, actor, input }))
    const comment = await store.comment(id)
    if (comment === null) throw new BoardError('internal', 'The comment was saved but cannot be read back.')
    const cardOf = new Map(cards.filter(({ card }) => created.includes(card)).map(({ agent, card }) => [agent, card]))
    return { ...comment, mentions: agents.map((one) => viewMention(one, cardOf.get(one.agent) ?? null, comment.id)) }
  },
})

const isPossible = ({ problem }: MentionedAgent): boolean => problem === null

/** Only a person's comment offers or creates cards. */
async function mentionsOf({ store, actor, options: { home } }: BoardContext, board: string, text: string) {
  const agents = actor.kind === 'person' ? await mentionedAgents(text, home) : []
  const mode = agents.length === 0 ? null : ((await store.board(board))?.settings.mentions ?? null)
  return { mode, agents: mode === 'none' ? [] : agents }
}

const viewMention = ({ agent, problem }: MentionedAgent, card: TaskId | null, comment: string) => ({
  agent,
  card,
  command: card === null && problem === null ? `muster mention ${comment} ${agent}` : null,
  problem: problem?.message ?? null,
})
