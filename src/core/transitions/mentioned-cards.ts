/** Creates the cards for the agents that a comment mentions, in the transaction of the comment. */
import * as z from 'zod'
import type { Actor } from '../actor.ts'
import type { Board } from '../board.ts'
import type { Comment } from '../comment.ts'
import type { Change, ScopeRows } from '../decision.ts'
import type { EventDraft } from '../event.ts'
import type { TaskId } from '../ids.ts'
import { CARDS_MAX, cardInputSchema } from '../input/card-input.ts'
import { name, taskId } from '../input/fields.ts'
import { mentionCard } from '../mention-card.ts'
import type { Task } from '../task.ts'
import { buildCards } from './create.ts'

/** The mentioned agents, each with the id of the card that the comment may create for it. */
export const mentionsInput = z
  .array(z.object({ agent: name, card: taskId }))
  .max(CARDS_MAX)
  .refine((mentions) => new Set(mentions.map(({ card }) => card)).size === mentions.length, 'must have different cards')
  .default([])
type Mentions = z.infer<typeof mentionsInput>

interface MentionContext {
  readonly rows: ScopeRows
  readonly board: Board
  readonly actor: Actor
  readonly now: number
  readonly task: Task
  readonly comment: Pick<Comment, 'id' | 'author' | 'body'>
}

interface MentionedCards {
  readonly created: readonly TaskId[]
  readonly changes: readonly Change[]
  readonly events: readonly EventDraft[]
}

const NO_CARDS: MentionedCards = { created: [], changes: [], events: [] }

/**
 * Only a person's comment creates cards, and only if the board setting `mentions` is `create`. If the cards cannot be
 * created now, the comment is still saved, and its author gets the offer to create them.
 */
export function mentionedCards(mentions: Mentions, context: MentionContext): MentionedCards {
  const { rows, board, actor, now, task, comment } = context
  if (mentions.length === 0 || actor.kind !== 'person') return NO_CARDS
  if (board.settings.mentions !== 'create' || board.archivedAt !== null) return NO_CARDS
  const cards = mentions.map(({ agent, card }) =>
    cardInputSchema.parse({ ...mentionCard(task, comment, agent), id: card }),
  )
  const built = buildCards(cards, { rows: { ...rows, parents: new Map([[task.id, task]]) }, board, actor, now })
  if ('ok' in built) return NO_CARDS
  return { created: cards.map(({ id }) => id), changes: built.changes, events: built.events }
}
