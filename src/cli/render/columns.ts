/**
 * The board as columns side by side, in several rows if they do not fit into one. A narrow terminal or a pipe gets one
 * column below the other.
 */
import type { Status } from '../../core/vocabulary.ts'
import type { ColumnsView } from '../../operations/boards/show-columns.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { ICONS, assigneeOf, span } from './format-values.ts'
import { paintsFor } from './paint.ts'
import type { Paints } from './paint.ts'
import { shortId } from './short-id.ts'
import { shortReason } from './short-reason.ts'
import { cutTo, fit, widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

type Card = ColumnsView['columns'][number]['cards'][number]

interface Column {
  readonly title: string
  readonly status: Status
  readonly count: number
  readonly cards: readonly Card[]
}

/** The title of each column, and its statuses. */
const COLUMNS: readonly (readonly [title: string, ...statuses: Status[]])[] = [
  ['Triage', 'triage'],
  ['To do', 'todo', 'scheduled'],
  ['Ready', 'ready'],
  ['Running', 'running'],
  ['Review', 'review'],
  ['Blocked', 'blocked'],
  ['Done in 24 h', 'done'],
]

const GAP = '  '
/** A narrower terminal gets one column below the other. */
const SIDE_BY_SIDE = 72
/** Fits a short id and `(unassigned)`. */
const COLUMN_MIN = 21
const COLUMN_MAX = 36

export interface ColumnsTextOptions {
  readonly terminal: Terminal | null
  /** The maximum number of cards in a column. */
  readonly limit: number
}

export function columnsText(view: ColumnsView, { terminal, limit }: ColumnsTextOptions): string {
  const columns = columnsOf(view, limit)
  if (columns.length === 0) return `Board ${view.board} has no open cards. To add one: muster create "…"`
  const paints = paintsFor(terminal?.colors ?? false)
  const width = terminal?.columns ?? Infinity
  if (width < SIDE_BY_SIDE || terminal === null)
    return columns.map((column) => stacked(column, { width, paints, now: view.now })).join('\n\n')
  const bands = bandsOf(columns, width)
  const beside = bands[0]?.length ?? 1
  const own = Math.min(COLUMN_MAX, Math.floor((width - GAP.length * (beside - 1)) / beside))
  return bands.map((band) => sideBySide(band, { width: own, paints, now: view.now })).join('\n\n')
}

/** The columns that have cards. */
function columnsOf({ columns }: ColumnsView, limit: number): readonly Column[] {
  return COLUMNS.flatMap(([title, first, ...others]) => {
    const found = columns.filter(({ status }) => status === first || others.includes(status))
    const count = found.reduce((sum, column) => sum + column.count, 0)
    const cards = found.flatMap((column) => column.cards).slice(0, limit)
    return count === 0 || first === undefined ? [] : [{ title, status: first, count, cards }]
  })
}

const headerOf = ({ title, status, count }: Column): string => `${ICONS[status]} ${title} ${count}`

const moreText = ({ count, cards }: Column): string | null =>
  count > cards.length ? `and ${count - cards.length} more` : null

interface Look {
  readonly width: number
  readonly paints: Paints
  readonly now: number
}

/** Why the card does not start, or for how long it runs. */
function stateOf({ reason, run, status }: Card, now: number): string | null {
  if (run !== null) return `${span(now - run.startedAt)}${run.attempt === 1 ? '' : `, attempt ${run.attempt}`}`
  // A card without an agent already shows that in place of the name.
  return reason === null || reason.code === 'unassigned' || status === 'done' ? null : shortReason(reason, now)
}

const workerOf = (card: Card): string => oneLine(card.run?.by ?? assigneeOf(card))

function stacked(column: Column, { width, paints, now }: Look): string {
  const lines = column.cards.flatMap((card) => {
    const facts = `${shortId(card.id)}  ${workerOf(card)}`
    const title = cutTo(oneLine(card.title), Math.max(12, width - widthOf(facts) - 4))
    const state = stateOf(card, now)
    const first = cutTo(`  ${title}  ${facts}`, width)
    return state === null ? [first] : [first, paints.faint(cutTo(`    ${state}`, width))]
  })
  const more = moreText(column)
  return [
    paints.strong(cutTo(headerOf(column), width)),
    ...lines,
    ...(more === null ? [] : [paints.faint(`  ${more}`)]),
  ].join('\n')
}

/** Splits the columns into rows with nearly the same number of columns. */
function bandsOf(columns: readonly Column[], width: number): readonly (readonly Column[])[] {
  const most = Math.floor((width + GAP.length) / (COLUMN_MIN + GAP.length))
  const bands = Math.ceil(columns.length / most)
  const size = Math.ceil(columns.length / bands)
  return Array.from({ length: bands }, (_, at) => columns.slice(at * size, (at + 1) * size))
}

type Cell = { readonly text: string; readonly paint: (text: string) => string }

/** Wraps a title or a reason to at most two lines. The caller cuts the second line. */
function twoLines(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = wrapLine(text, width)
  return [first, rest.join(' ')].filter((line) => line !== '')
}

/** `width` is the width of one column. */
function sideBySide(columns: readonly Column[], { width: own, paints, now }: Look): string {
  const plain = (text: string): string => text
  const cells = columns.map((column): readonly Cell[] => {
    const more = moreText(column)
    return [
      { text: headerOf(column), paint: paints.strong },
      { text: '─'.repeat(own), paint: paints.faint },
      ...column.cards.flatMap((card): readonly Cell[] => {
        const state = stateOf(card, now)
        return [
          ...twoLines(oneLine(card.title), own).map((text) => ({ text, paint: plain })),
          { text: `${shortId(card.id)} ${workerOf(card)}`, paint: paints.faint },
          ...twoLines(state ?? '', own).map((text) => ({
            text,
            paint: (shown: string) => paints.status(card.status, shown),
          })),
          { text: '', paint: plain },
        ]
      }),
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
      .join(GAP)
      .trimEnd(),
  )
  return rows.join('\n').trimEnd()
}
