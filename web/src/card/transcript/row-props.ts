import type { CardDetails } from '../card-details.ts'
import type { Row } from './row-pages.ts'
import type { RowsSource } from './use-rows.ts'

/** The properties of every row. All rows share the same objects, so that a row renders again only when it changes. */
export interface RowProps<Shown extends Row = Row> {
  readonly row: Shown
  readonly card: CardDetails
  readonly source: RowsSource
  readonly isLive: boolean
  readonly isOpen: boolean
  readonly onToggle: (n: number) => void
  readonly wraps: boolean
  /** The searched text. Empty if this row does not contain it. */
  readonly find: string
}
