/** Computes which columns and cards of the board fit on the screen, and the height of each card. */
import { COLUMN_GAP, COLUMN_MIN } from '../render/board-columns.ts'
import type { ColumnCard, TerminalColumn } from '../render/board-columns.ts'
import { cardCells, plain } from '../render/card-cells.ts'
import type { Cell } from '../render/card-cells.ts'
import { oneLine } from '../output/escape.ts'
import { paintsFor } from '../render/paint.ts'
import type { Paints } from '../render/paint.ts'
import { span } from '../render/format-values.ts'
import { columnsIn, selectedColumn } from './selection.ts'
import type { WatchState } from './state.ts'

/** The width of the mark beside the selected card, and of the space after the mark. */
const MARK = 2
const COLUMN_MAX = 44
/** The rows that show no cards: the title, the headings with their rule, and the line of keys. */
const OTHER_ROWS = 4
/** An agent without output for this time may hang. */
const SILENT_MS = 5 * 60_000

export interface BoardLayout {
  readonly columns: readonly TerminalColumn[]
  /** The first visible column, and the number of visible columns. */
  readonly first: number
  readonly count: number
  readonly width: number
  /** The rows for cards. */
  readonly rows: number
}

export function layoutOf(state: WatchState): BoardLayout {
  const { columns: width, rows } = state.size
  const columns = columnsIn(state)
  const gap = COLUMN_GAP.length
  const most = Math.max(1, Math.floor((width + gap) / (COLUMN_MIN + MARK + gap)))
  const count = Math.min(most, Math.max(1, columns.length))
  return {
    columns,
    first: Math.max(0, selectedColumn(state, columns) - count + 1),
    count,
    width: Math.min(COLUMN_MAX, Math.max(1, Math.floor((width - gap * (count - 1)) / count))),
    rows: Math.max(1, rows - OTHER_ROWS),
  }
}

/** Formats a card with its last output and its board. `muster board` shows neither. */
export function watchedCard(card: ColumnCard, look: CardLook): readonly Cell[] {
  const { width, paints, now, isAll } = look
  const cells = cardCells(card, { width: width - MARK, paints, now })
  const output = outputOf(card, now)
  return [
    ...cells,
    ...(isAll ? [{ text: `on ${oneLine(card.board)}`, paint: paints.faint }] : []),
    ...(output === null ? [] : [{ text: output.text, paint: output.isSilent ? paints.warning : paints.faint }]),
    { text: '', paint: plain },
  ]
}

export interface CardLook {
  readonly width: number
  readonly paints: Paints
  readonly now: number
  /** Whether the screen shows the cards of all boards. */
  readonly isAll: boolean
}

function outputOf({ run }: ColumnCard, now: number): { readonly text: string; readonly isSilent: boolean } | null {
  if (run === null) return null
  const silentMs = now - (run.lastActivityAt ?? run.startedAt)
  if (silentMs > SILENT_MS && run.lastOutput !== null)
    return { text: `no output for ${span(silentMs)}`, isSilent: true }
  return run.lastOutput === null ? null : { text: `> ${oneLine(run.lastOutput)}`, isSilent: false }
}

const PLAIN_PAINTS = paintsFor(false)

/** Scrolls the selected column so that its selected card is visible. */
export function reveal(state: WatchState): WatchState {
  const { selected, view, now } = state
  const { columns, width, rows } = layoutOf(state)
  const column = columns.find(({ title }) => title === selected?.column)
  if (selected === null || column === undefined || view === null) return state
  const look = { width, paints: PLAIN_PAINTS, now, isAll: view.board === null }
  let first = selected.index
  const before = Math.min(state.tops[column.title] ?? 0, selected.index)
  // One row is reserved, because the last row may show how many cards follow.
  let left = rows - 1
  for (let index = selected.index; index >= before; index -= 1) {
    const card = column.cards[index]
    left -= card === undefined ? 0 : watchedCard(card, look).length
    if (left < 0) break
    first = index
  }
  return { ...state, tops: { ...state.tops, [column.title]: first } }
}
