import type { CardFilter } from '../../../src/core/card-query.ts'
import type { BoardAsked } from '../api/queries.ts'
import type { Display } from './board-display.ts'

/** What the server is asked for: the filters, and the order of the cards unless it is the usual one. */
export const columnsAsked = (filter: CardFilter, { sort }: Pick<Display, 'sort'>): BoardAsked => ({
  ...filter,
  ...(sort !== 'start' && { sort }),
})
