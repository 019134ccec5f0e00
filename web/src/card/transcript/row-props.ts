import type { CardDetails } from '../card-details.ts'
import type { Row } from './row-pages.ts'
import type { RowsSource } from './use-rows.ts'

/** The props that all rows share. Each object stays the same until it changes, so a row renders only when needed. */
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
