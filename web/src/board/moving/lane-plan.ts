/** Computes what happens if cards move to a lane. The functions are pure; core decides for each card. */
import { destinationOf } from '../../../../src/core/destinations/destinations.ts'
import type { Destination, LegalMove, Obstruction } from '../../../../src/core/destinations/destination.ts'
import { accepts } from '../../../../src/core/status.ts'
import type { Status } from '../../../../src/core/vocabulary.ts'
import type { BoardCard } from '../../api/queries.ts'
import { STATUSES_OF, laneOf } from '../lanes.ts'
import type { LaneName } from '../lanes.ts'

export interface PlannedMove {
  readonly card: BoardCard
  readonly to: Status
  readonly move: LegalMove
}

export interface LanePlan {
  readonly lane: LaneName
  /** Whether all cards are already in the lane. */
  readonly isHome: boolean
  readonly moves: readonly PlannedMove[]
  /** The cards that cannot move to the lane, each with the reason. */
  readonly denied: readonly { readonly card: BoardCard; readonly why: Obstruction }[]
}

const destination = (card: BoardCard, to: Status): Destination => destinationOf({ card, run: card.run }, to)

/** Returns the move of one card to a lane. For a lane with two statuses, returns the first legal move. */
function moveTo(card: BoardCard, lane: LaneName): PlannedMove | Obstruction {
  if (laneOf(card.status) === lane) return 'already_there'
  const found = STATUSES_OF[lane].map((to) => ({ to, destination: destination(card, to) }))
  for (const { to, destination: move } of found) if (move.isLegal) return { card, to, move }
  const last = found.at(-1)?.destination
  return last === undefined || last.isLegal ? 'already_there' : last.why
}

export function planMove(cards: readonly BoardCard[], lane: LaneName): LanePlan {
  const moves: PlannedMove[] = []
  const denied: { card: BoardCard; why: Obstruction }[] = []
  for (const card of cards) {
    const found = moveTo(card, lane)
    if (typeof found === 'string') denied.push({ card, why: found })
    else moves.push(found)
  }
  return { lane, isHome: cards.every(({ status }) => laneOf(status) === lane), moves, denied }
}

/** Whether a person may change the position of the card in its column. */
export const canReorder = ({ status, deletedAt }: Pick<BoardCard, 'status' | 'deletedAt'>): boolean =>
  deletedAt === null && accepts(status, 'reorder')

/** Whether the card can appear in its new column before the server answers. */
export const isPredictable = ({ move }: PlannedMove): boolean =>
  !move.endsRun && move.operation !== 'complete' && move.operation !== 'approve'
