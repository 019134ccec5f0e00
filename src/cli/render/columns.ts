/**
 * Formats the board as columns side by side. If the columns do not fit into one row, they are in several rows. On a
 * narrow terminal or in a pipe, the columns are below each other.
 */
import type { ColumnsView } from '../../operations/boards/show-columns.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { COLUMN_GAP, COLUMN_MIN, columnHeading, columnsWithCards } from './board-columns.ts'
import type { TerminalColumn } from './board-columns.ts'
import { cardCells, plain, stateOf, workerOf } from './card-cells.ts'
import type { Cell, CellLook } from './card-cells.ts'
import { paintsFor } from './paint.ts'
import { shortId } from './short-id.ts'
import { cutTo, fit, widthOf } from './width.ts'

/** The minimum width for columns side by side. On a narrower terminal, they are below each other. */
const SIDE_BY_SIDE = 72
const COLUMN_MAX = 36

export interface ColumnsTextOptions {
  readonly terminal: Terminal | null
  /** The maximum number of cards in a column. */
  readonly limit: number
}

export function columnsText(view: ColumnsView, { terminal, limit }: ColumnsTextOptions): string {
  const columns = columnsWithCards(view, limit)
  if (columns.length === 0)
    return view.board === null
      ? 'No matching cards.'
      : `Board ${view.board} has no open cards. To add one: muster create "…"`
  const paints = paintsFor(terminal?.colors ?? false)
  const width = terminal?.columns ?? Infinity
  if (width < SIDE_BY_SIDE || terminal === null)
    return columns.map((column) => stacked(column, { width, paints, now: view.now })).join('\n\n')
  const bands = bandsOf(columns, width)
  const beside = bands[0]?.length ?? 1
  const own = Math.min(COLUMN_MAX, Math.floor((width - COLUMN_GAP.length * (beside - 1)) / beside))
  return bands.map((band) => sideBySide(band, { width: own, paints, now: view.now })).join('\n\n')
}

const moreText = ({ count, cards }: TerminalColumn): string | null =>
  count > cards.length ? `and ${count - cards.length} more` : null

function stacked(column: TerminalColumn, { width, paints, now }: CellLook): string {
  const lines = column.cards.flatMap((card) => {
    const facts = `${shortId(card.id)}  ${workerOf(card)}`
    const title = cutTo(oneLine(card.title), Math.max(12, width - widthOf(facts) - 4))
    const state = stateOf(card, now)
    const first = cutTo(`  ${title}  ${facts}`, width)
    return state === null ? [first] : [first, paints.faint(cutTo(`    ${state}`, width))]
  })
  const more = moreText(column)
  return [
    paints.strong(cutTo(columnHeading(column), width)),
    ...lines,
    ...(more === null ? [] : [paints.faint(`  ${more}`)]),
  ].join('\n')
}

/** Splits the columns into rows with nearly the same number of columns. */
function bandsOf(columns: readonly TerminalColumn[], width: number): readonly (readonly TerminalColumn[])[] {
  const most = Math.floor((width + COLUMN_GAP.length) / (COLUMN_MIN + COLUMN_GAP.length))
  const bands = Math.ceil(columns.length / most)
  const size = Math.ceil(columns.length / bands)
  return Array.from({ length: bands }, (_, at) => columns.slice(at * size, (at + 1) * size))
}

/** Formats columns side by side. `width` is the width of one column. */
function sideBySide(columns: readonly TerminalColumn[], look: CellLook): string {
  const { width: own, paints } = look
  const cells = columns.map((column): readonly Cell[] => {
    const more = moreText(column)
    return [
      { text: columnHeading(column), paint: paints.strong },
      { text: '─'.repeat(own), paint: paints.faint },
      ...column.cards.flatMap((card): readonly Cell[] => [...cardCells(card, look), { text: '', paint: plain }]),
      ...(more === null ? [] : [{ text: more, paint: paints.faint }]),
    ]
  })
  const height = Math.max(...cells.map((column) => column.length))
  const rows = Array.from({ length: height }, (_, at) =>
    cells
      .map((column) => {
        const cell = column[at]
        return cell === undefined ? ' '.repeat(own) : cell.paint(fit(cell.text, own))
      })
      .join(COLUMN_GAP)
      .trimEnd(),
  )
  return rows.join('\n').trimEnd()
}
