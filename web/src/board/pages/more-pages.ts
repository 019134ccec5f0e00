/** Joins the first page of each column with cards that were loaded later. The functions are pure. */
import type { BoardCard, Columns } from '../../api/queries.ts'
import type { Status } from '../../../../src/core/vocabulary.ts'

export type LaterCards = ReadonlyMap<Status, readonly BoardCard[]>

/** Returns the columns with all loaded cards. A card that moved into the first page appears only there. */
export function withLaterCards(first: Columns, later: LaterCards): Columns {
  const shown = new Set(first.columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
  const columns = first.columns.map((column) => {
    const more = (later.get(column.status) ?? []).filter(({ id }) => !shown.has(id))
    // The number of cards in the column is newer than the later cards. So the list is cut to this number, which removes
    // cards that left the column.
    return more.length === 0 ? column : { ...column, cards: [...column.cards, ...more].slice(0, column.count) }
  })
  return { ...first, columns }
}
