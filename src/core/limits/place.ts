/** The place of a card in its column. Cards are sorted by rank, then by id. */
import type { Board } from '../board.ts'
import type { TaskId } from '../ids.ts'
import type { Task } from '../task.ts'
import { rankOf } from './deadlines.ts'

export type Place = Pick<Task, 'rank' | 'id'>

/**
 * The distance in milliseconds between a moved card and its neighbour, so that other cards fit between the two later.
 */
export const ROOM = 1024

/** The limit of a shift. Within this limit, the sum of a rank and its shift is exact in the database. */
const SHIFT_MAX = 2 ** 52

export const isAbove = (one: Place, other: Place): boolean =>
  one.rank < other.rank || (one.rank === other.rank && one.id < other.id)

/** Whether the card is between two neighbours. If a neighbour is null, that side is the end of the column. */
export const isBetween = (card: Place, above: Place | null, below: Place | null): boolean =>
  (above === null || isAbove(above, card)) && (below === null || isAbove(card, below))

/** A rank between two neighbours. Null means that no rank is free between them. */
export function placeBetween(id: TaskId, above: Place | null, below: Place | null): number | null {
  if (above === null) return (below?.rank ?? 0) - ROOM
  if (below === null) return above.rank + ROOM
  const middle = Math.floor((above.rank + below.rank) / 2)
  const ranks = [middle, below.rank]
  return ranks.find((rank) => isBetween({ rank, id }, above, below)) ?? null
}

/** The shift that gives a card this rank. Null means that the shift would be too large to be exact. */
export function shiftTo(rank: number, task: Pick<Task, 'createdAt' | 'priority'>, board: Pick<Board, 'settings'>) {
  const shift = rank - rankOf({ ...task, rankShift: 0 }, board)
  return Number.isSafeInteger(rank) && Math.abs(shift) <= SHIFT_MAX ? shift : null
}
