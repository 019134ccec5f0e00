import type { CardFilter } from '../../../src/core/card-query.ts'
import type { BoardAsked } from '../api/queries.ts'
import type { Display } from './board-display.ts'

/** The request for the columns: the filters, and the sort order unless it is the default. */
export const columnsAsked = (filter: CardFilter, { sort }: Pick<Display, 'sort'>): BoardAsked => ({
  ...filter,
  ...(sort !== 'start' && { sort }),
})
