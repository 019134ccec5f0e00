/**
 * Computes the state after a change from outside: the board, an event, the log, the size of the terminal, the clock.
 */
import type { Passage } from '../../harnesses/stream/passage.ts'
import type { ColumnsView } from '../../operations/boards/show-columns.ts'
import type { TitledEvent } from '../render/event-line.ts'
import { reveal } from './board-layout.ts'
import { appendPassages } from './log-lines.ts'
import { columnsIn, settleSelection } from './selection.ts'
import { pageOf, withPage } from './state.ts'
import type { CardContent, Notice, Page, Size, WatchState } from './state.ts'

export type News =
  | { readonly kind: 'clock'; readonly now: number }
  | { readonly kind: 'size'; readonly size: Size }
  | { readonly kind: 'board'; readonly view: ColumnsView }
  | { readonly kind: 'paused'; readonly boards: readonly string[] }
  | { readonly kind: 'event'; readonly event: TitledEvent }
  | { readonly kind: 'trouble'; readonly text: string | null }
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'card'; readonly content: CardContent }
  | { readonly kind: 'log'; readonly card: string; readonly passages: readonly Passage[] }
  | { readonly kind: 'log_begins' | 'log_ends'; readonly card: string }

const EVENTS_KEPT = 100

export function receive(state: WatchState, news: News): WatchState {
  switch (news.kind) {
    case 'clock':
      return { ...state, now: news.now }
    case 'size':
      return reveal({ ...state, size: news.size })
    case 'board':
      return reveal(settleSelection({ ...state, view: news.view }, columnsIn(state)))
    case 'paused':
      return { ...state, paused: news.boards }
    case 'event':
      return { ...state, events: [...state.events, news.event].slice(-EVENTS_KEPT) }
    case 'trouble':
      return { ...state, trouble: news.text }
    case 'notice':
      return { ...state, notice: news.notice }
    case 'card':
      return changePages(state, (page) =>
        page.kind === 'card' && page.card === news.content.task.id ? { ...page, content: news.content } : page,
      )
    case 'log_begins':
      return changeLog(state, news.card, (page) => ({ ...page, passages: [], isOver: false, top: 0, follows: true }))
    case 'log':
      return changeLog(state, news.card, (page) => appendPassages(page, news.passages, state.size.columns))
    case 'log_ends':
      return changeLog(state, news.card, (page) => ({ ...page, isOver: true }))
  }
}

const changePages = (state: WatchState, change: (page: Page) => Page): WatchState => ({
  ...state,
  pages: state.pages.map(change),
})

function changeLog(
  state: WatchState,
  card: string,
  change: (page: Extract<Page, { kind: 'log' }>) => Page,
): WatchState {
  const page = pageOf(state)
  return page?.kind === 'log' && page.card === card ? withPage(state, change(page)) : state
}
