/** The pages that consist of lines: a card, its log, the last events, and the keys. */
import { asTyped } from '../output/as-typed.ts'
import { oneLine } from '../output/escape.ts'
import { eventLine } from '../render/event-line.ts'
import { taskPage } from '../render/task-page.ts'
import { cutTo } from '../render/width.ts'
import { logLines } from './log-lines.ts'
import type { CardContent, Page, WatchState } from './state.ts'

/** The rows that a page does not use: its title and the line of keys. */
const OTHER_ROWS = 2

export const pageRows = ({ size }: Pick<WatchState, 'size'>): number => Math.max(1, size.rows - OTHER_ROWS)

/**
 * The ages on a card page are drawn again at this interval and not more often, because wrapping a long card takes time.
 */
const AGE_MS = 5_000

export function pageLines(state: WatchState, page: Page, { colors }: { readonly colors: boolean }): readonly string[] {
  const { columns } = state.size
  switch (page.kind) {
    case 'card':
      return page.content === null ? [`Reading ${page.card} …`] : cardLines(state, page.content)
    case 'log': {
      const lines = logLines(page.passages, columns, { colors })
      if (lines.length > 0) return page.isOver ? [...lines, '', '(the run has ended)'] : lines
      return [page.isOver ? '(no output)' : 'Waiting for output …']
    }
    case 'events':
      return state.events.length === 0
        ? ['No events yet.']
        : state.events.toReversed().map((event) => cutTo(eventLine(event, event), columns))
    case 'help':
      return HELP.map((line) => cutTo(line, columns))
  }
}

interface Drawn {
  readonly key: string
  readonly lines: readonly string[]
}
const drawn = new WeakMap<CardContent, Drawn>()

function cardLines({ size: { columns }, now, program }: WatchState, content: CardContent): readonly string[] {
  const key = `${columns} ${Math.floor(now / AGE_MS)}`
  const known = drawn.get(content)
  if (known?.key === key) return known.lines
  const text = asTyped(taskPage(content.task, { ...content, now, width: columns }), program)
  const lines = text.split('\n').map((line) => cutTo(line, columns))
  drawn.set(content, { key, lines })
  return lines
}

export function pageTitle(page: Page): string {
  switch (page.kind) {
    case 'card':
      return page.card
    case 'log':
      return `Log of ${page.card}  ${oneLine(page.title)}`
    case 'events':
      return 'Events, newest first'
    case 'help':
      return 'Keys'
  }
}

/** The first line to show when the page is scrolled to its end. */
export const lastTop = (state: WatchState, page: Page): number =>
  Math.max(0, pageLines(state, page, { colors: false }).length - pageRows(state))

/** The first line that the page shows now. */
export const topOf = (state: WatchState, page: Page): number =>
  page.kind === 'log' && page.follows ? lastTop(state, page) : Math.min(page.top, lastTop(state, page))

const HELP: readonly string[] = [
  'Board',
  '  arrows, h j k     move between cards and columns',
  '  Tab, Shift-Tab    next and previous column',
  '  PgUp, PgDn        several cards up or down',
  '  g, G              first and last card of the column',
  '  Enter             show the card',
  '  l                 show the log, live',
  '  a                 answer the question of the card',
  '  r                 retry the card',
  '  space, p          pause or resume the board',
  '  o                 open the card in the browser',
  '  /                 show only cards that contain a text; Esc shows all',
  '  e                 show the last events',
  '  q, Ctrl-C         quit',
  '',
  'Card, log and events',
  '  arrows, j k       scroll by a line',
  '  PgUp, PgDn        scroll by a page',
  '  g, G              go to the beginning, or to the end and follow the log',
  '  Esc, q            back',
  '',
  'Everywhere',
  '  ?                 show these keys',
  '  Ctrl-L            draw the screen again',
  '  Ctrl-Z            suspend; fg continues',
]
