import { isAgentName } from '../../core/actor.ts'
import { unwrap } from '../../core/command.ts'
import type { Comment } from '../../core/comment.ts'
import { BoardError } from '../../core/errors.ts'
import { mentionCard } from '../../core/mention-card.ts'
import { newTaskId } from '../../util/mint.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { mentionedAgents } from '../shared/mentioned-agents.ts'
import type { MentionedAgent } from '../shared/mentioned-agents.ts'
import { defineOperation } from '../shared/operation.ts'

/** Creates the card that a comment offers for an agent. A comment creates at most one card for each agent. */
export const mentionAgent = defineOperation({
  name: 'mention',
  kind: 'command',
  actor: 'person',
  scope: 'store',
  summary: 'Create a card for an agent that a comment mentions.',
  schemas: ({ z, commentId, name, taskView }) => ({
    input: z.object({
      comment: commentId.describe('The comment'),
      agent: name.nullable().default(null).describe('An agent that the comment mentions; null: the only one'),
    }),
    output: z.object({
      task: taskView,
      /** Whether a card was created. If the comment already has a card for the agent, the operation returns that card. */
      created: z.boolean(),
    }),
  }),
  run: async ({ store, actor, options: { home } }, { comment: id, agent: named }) => {
    const comment = await store.comment(id)
    if (comment === null) throw new BoardError('comment_not_found', `There is no comment ${id}.`, { details: { id } })
    if (comment.runId !== null || isAgentName(comment.author))
      throw new BoardError(
        'not_allowed',
        `Comment ${id} is by ${comment.author}: only mentions in a person's comment create cards.`,
      )
    const agent = chosen(await mentionedAgents(comment.body, home), comment, named)
    const { board } = comment
    const about = await cardNow(store, { board, id: comment.taskId })
    const input = { cards: [{ ...mentionCard(about, comment, agent), id: newTaskId() }] }
    const { ids, created } = unwrap(await store.decide({ verb: 'create', board, actor, input }))
    const [card = about.id] = ids
    return { task: await cardNow(store, { board, id: card }), created }
  },
})

/** The mentioned agent that gets the card. */
function chosen(mentioned: readonly MentionedAgent[], { id }: Comment, named: string | null): string {
  const possible = mentioned.filter(({ problem }) => problem === null).map(({ agent }) => agent)
  const found = named === null ? mentioned : mentioned.filter(({ agent }) => agent === named)
  const [only, second] = found
  if (only === undefined)
    throw new BoardError(
      'invalid_input',
      named === null
        ? `Comment ${id} mentions no agent of this machine. To list the agents: muster agents`
        : `Comment ${id} does not mention ${named}. ${possible.length === 0 ? 'It mentions no agent' : `It mentions ${possible.join(', ')}`}.`,
      { details: { field: named === null ? 'comment' : 'agent', agents: possible } },
    )
  if (second !== undefined)
    throw new BoardError(
      'invalid_input',
      `Comment ${id} mentions ${found.map(({ agent }) => agent).join(', ')}. Name one: muster mention ${id} ${possible[0] ?? only.agent}`,
      { details: { field: 'agent', agents: possible } },
    )
  if (only.problem !== null) throw only.problem
  return only.agent
}
