import { mentionKey } from '../../../../src/core/mention-card.ts'
import { mentionsIn } from '../../../../src/core/mention.ts'
import type { Agent, ListedCard } from '../../api/queries.ts'
import type { Comment } from './comment-list.ts'

type Child = Pick<ListedCard, 'id' | 'title' | 'idempotencyKey'>

export interface MentionOffer {
  readonly agent: string
  /** The card that the comment created for the agent. */
  readonly card: Child | null
}

/**
 * The mentioned agents of this machine. The agent `shell` is left out: it would run the comment as a script, and the
 * server refuses that too.
 */
export function findOffers(
  { id, body }: Pick<Comment, 'id' | 'body'>,
  agents: readonly Pick<Agent, 'name' | 'harness'>[],
  children: readonly Child[],
): readonly MentionOffer[] {
  const known = new Set(agents.filter(({ harness }) => harness !== null && harness !== 'shell').map(({ name }) => name))
  return mentionsIn(body).flatMap((agent) => {
    const card = children.find(({ idempotencyKey }) => idempotencyKey === mentionKey(id, agent)) ?? null
    return card !== null || known.has(agent) ? [{ agent, card }] : []
  })
}
