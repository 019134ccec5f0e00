/** Draws a state as lines that fit into the terminal exactly. */
import type { Status } from '../../core/vocabulary.ts'
import { oneLine } from '../output/escape.ts'
import { COLUMN_GAP, columnHeading } from '../render/board-columns.ts'
import type { TerminalColumn } from '../render/board-columns.ts'
import { clockOf } from '../render/event-line.ts'
import { paintsFor } from '../render/paint.ts'
import type { Paints } from '../render/paint.ts'
import { cutTo, fit, widthOf } from '../render/width.ts'
import { layoutOf, watchedCard } from './board-layout.ts'
import type { BoardLayout } from './board-layout.ts'
import { footerOf } from './footer.ts'
import type { Footer } from './footer.ts'
import { pageOf } from './state.ts'
import type { Page, WatchState } from './state.ts'
import { pageLines, pageRows, pageTitle, topOf } from './text-pages.ts'

export interface Frame {
  readonly lines: readonly string[]
  /** The position of the terminal's cursor, where an input method shows its letters. Null hides the cursor. */
  readonly cursor: { readonly row: number; readonly column: number } | null
}

export function drawFrame(state: WatchState, { colors }: { readonly colors: boolean }): Frame {
  const { rows } = state.size
  const paints = paintsFor(colors)
  const page = pageOf(state)
  const footer = footerOf(state, paints)
  const body = page === null ? boardLines(state, paints) : textLines(state, page, { paints, colors })
  const lines = Array.from({ length: rows - 1 }, (_, at) => body[at] ?? '')
  return { lines: [...lines, footer.line], cursor: cursorIn(footer, rows - 1) }
}

const cursorIn = ({ cursor }: Footer, row: number): Frame['cursor'] =>
  cursor === null ? null : { row, column: cursor }

function textLines(
  state: WatchState,
  page: Page,
  { paints, colors }: { readonly paints: Paints; readonly colors: boolean },
): readonly string[] {
  const { columns } = state.size
  const rows = pageRows(state)
  const lines = pageLines(state, page, { colors })
  const top = topOf(state, page)
  const place = lines.length <= rows ? '' : `${top + 1}–${Math.min(lines.length, top + rows)} of ${lines.length}`
  return [paints.strong(beside(pageTitle(page), place, columns)), ...lines.slice(top, top + rows)]
}

/** Formats one text at each end of a line. If both do not fit, the left text is cut. */
function beside(left: string, right: string, columns: number): string {
  if (right === '' || widthOf(right) + 1 >= columns) return cutTo(left, columns)
  return `${fit(left, columns - widthOf(right) - 1)} ${right}`
}

function boardLines(state: WatchState, paints: Paints): readonly string[] {
  const layout = layoutOf(state)
  const { columns: width } = state.size
  const title = paints.strong(beside(titleOf(state), placeOf(state, layout), width))
  if (state.view === null) return [title, '', cutTo('Reading the board …', width)]
  if (layout.columns.length === 0) return [title, '', cutTo(emptyText(state), width)]
  const visible = layout.columns.slice(layout.first, layout.first + layout.count)
  const cells = visible.map((column) => columnLines(state, column, { layout, paints }))
  const blank = ' '.repeat(layout.width)
  const rows = Array.from({ length: layout.rows + 2 }, (_, at) =>
    cells.map((lines) => lines[at] ?? blank).join(COLUMN_GAP),
  )
  return [title, ...rows]
}

const emptyText = ({ filter, view }: WatchState): string =>
  filter !== ''
    ? `No card contains "${oneLine(filter)}". Press Esc to see all cards.`
    : view?.board == null
      ? 'The boards have no open cards.'
      : `Board ${view.board} has no open cards. To add one: muster create "…"`

/** Formats the name of the board, its most important numbers and the filter. */
function titleOf({ view, filter, paused }: WatchState): string {
  const name = view === null ? '' : view.board === null ? 'All boards' : oneLine(view.board)
  const counts = (['running', 'review', 'blocked'] satisfies readonly Status[]).flatMap((status) => {
    const count = view?.columns.find((column) => column.status === status)?.count ?? 0
    return count === 0 ? [] : [`${count} ${status}`]
  })
  const stopped =
    view?.board == null
      ? paused.map((board) => `${oneLine(board)} paused`)
      : paused.includes(view.board)
        ? ['paused']
        : []
  return [name, ...stopped, ...counts, ...(filter === '' ? [] : [`/${oneLine(filter)}`])].join('  ')
}

/** Formats the time. If some columns do not fit, also names the visible columns. */
function placeOf({ now }: WatchState, { columns, first, count }: BoardLayout): string {
  const shown = count === 1 ? `${first + 1}` : `${first + 1}–${first + count}`
  const place = columns.length > count ? `${shown} of ${columns.length}  ` : ''
  return `${place}${clockOf(now)}`
}

function columnLines(
  state: WatchState,
  column: TerminalColumn,
  { layout: { width, rows }, paints }: { readonly layout: BoardLayout; readonly paints: Paints },
): readonly string[] {
  const { selected, view, now, tops } = state
  const isActive = column.title === selected?.column
  const look = { width, paints, now, isAll: view?.board == null }
  const first = Math.min(tops[column.title] ?? 0, Math.max(0, column.cards.length - 1))
  const lines: string[] = []
  let index = first
  for (; index < column.cards.length && lines.length < rows; index += 1) {
    const card = column.cards[index]
    if (card === undefined) break
    const mark = card.id === selected?.card ? paints.mark('▌ ') : '  '
    for (const { text, paint } of watchedCard(card, look))
      lines.push(text === '' ? ' '.repeat(width) : mark + paint(fit(text, width - 2)))
  }
  const shown = lines.length > rows ? index - 1 : index
  const more = column.count - shown
  const kept = more > 0 ? [...lines.slice(0, rows - 1), paints.faint(fit(`  and ${more} more`, width))] : lines
  return [
    paints.strong(fit(columnHeading(column), width)),
    isActive ? paints.mark('━'.repeat(width)) : paints.faint('─'.repeat(width)),
    ...kept,
  ]
}
