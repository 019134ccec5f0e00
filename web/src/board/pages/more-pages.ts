/** Joins the first page of each column with the cards that were loaded later. The functions are pure. */
import type { BoardCard, Columns } from '../../api/queries.ts'
import type { Status } from '../../../../src/core/vocabulary.ts'

export type LaterCards = ReadonlyMap<Status, readonly BoardCard[]>

/** Returns the columns with the later cards. A card that has moved into the first page is shown only there. */
export function withLaterCards(first: Columns, later: LaterCards): Columns {
  const shown = new Set(first.columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
  const columns = first.columns.map((column) => {
    const more = (later.get(column.status) ?? []).filter(({ id }) => !shown.has(id))
    // The number of cards in the column is newer than the later cards. So at most this number of cards is shown, and
    // cards that left the column are cut off.
    return more.length === 0 ? column : { ...column, cards: [...column.cards, ...more].slice(0, column.count) }
  })
  return { ...first, columns }
}
