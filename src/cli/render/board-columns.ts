/** The columns of the board in a terminal. Each column has a heading and one or more statuses. */
import type { Status } from '../../core/vocabulary.ts'
import type { ColumnsView } from '../../operations/boards/show-columns.ts'
import { ICONS } from './format-values.ts'

export type ColumnCard = ColumnsView['columns'][number]['cards'][number]

export interface TerminalColumn {
  readonly title: string
  readonly status: Status
  readonly count: number
  /** Whether the column may have more cards than `count`. */
  readonly isCut: boolean
  readonly cards: readonly ColumnCard[]
}

/** The columns of the board, each with its title and its statuses. */
const COLUMNS: readonly (readonly [title: string, ...statuses: Status[]])[] = [
  ['Triage', 'triage'],
  ['To do', 'todo', 'scheduled'],
  ['Ready', 'ready'],
  ['Running', 'running'],
  ['Review', 'review'],
  ['Blocked', 'blocked'],
  ['Done in 24 h', 'done'],
]

export const COLUMN_GAP = '  '
/** The minimum width of a column. A short id and `(unassigned)` fit into this width. */
export const COLUMN_MIN = 21

/** The columns that have cards, with at most `limit` cards each. */
export function columnsWithCards({ columns }: ColumnsView, limit: number): readonly TerminalColumn[] {
  return COLUMNS.flatMap(([title, first, ...others]) => {
    const found = columns.filter(({ status }) => status === first || others.includes(status))
    const count = found.reduce((sum, column) => sum + column.count, 0)
    const cards = found.flatMap((column) => column.cards).slice(0, limit)
    return count === 0 || first === undefined
      ? []
      : [{ title, status: first, count, isCut: found.some(({ isExact }) => !isExact), cards }]
  })
}

export const columnHeading = ({ title, status, count, isCut }: TerminalColumn): string =>
  `${ICONS[status]} ${title} ${count}${isCut ? '+' : ''}`
