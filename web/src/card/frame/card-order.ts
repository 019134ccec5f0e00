/** The cards before and after a card, in the order in which the board shows them. */
import type { Columns } from '../../api/queries.ts'

/** The statuses in the order of their columns, from left to right. `todo` and `scheduled` share a column. */
const ORDER = ['triage', 'todo', 'scheduled', 'ready', 'running', 'review', 'blocked', 'done', 'archived'] as const

export interface Neighbours {
  readonly previous: Place | null
  readonly next: Place | null
}

interface Place {
  readonly board: string
  readonly id: string
}

export function neighboursOf(card: string, columns: Pick<Columns, 'columns'> | undefined): Neighbours {
  const cards = ORDER.flatMap((status) => columns?.columns.find((column) => column.status === status)?.cards ?? [])
  const at = cards.findIndex(({ id }) => id === card)
  if (at === -1) return { previous: null, next: null }
  return { previous: cards[at - 1] ?? null, next: cards[at + 1] ?? null }
}
