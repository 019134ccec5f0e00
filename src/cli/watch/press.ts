/**
 * Computes the next state after a key, and the work for the driver. Each page has its own keys. An open text field
 * takes all keys.
 */
import { shortId } from '../render/short-id.ts'
import { answerOf, retryOf, subjectOf } from './actions.ts'
import { reveal } from './board-layout.ts'
import { editField, fieldWith, textOf } from './editor.ts'
import type { Key, KeyName } from './keys.ts'
import { columnsIn, moveSelection, selectedCard, selectedColumn } from './selection.ts'
import { pageOf, withPage } from './state.ts'
import type { Editor, Effect, Page, Step, WatchState } from './state.ts'
import { lastTop, pageRows, topOf } from './text-pages.ts'

export function press(given: WatchState, key: Key): Step {
  const state = given.notice === null ? given : { ...given, notice: null }
  if (key.kind === 'named') {
    if (key.name === 'interrupt') return withEffect(state, { kind: 'quit' })
    if (key.name === 'suspend') return withEffect(state, { kind: 'suspend' })
    if (key.name === 'redraw') return withEffect(state, { kind: 'redraw' })
  }
  if (state.editor !== null) return pressInEditor(state, state.editor, key)
  const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.text : ''
  const page = pageOf(state)
  return (page === null ? pressOnBoard(state, name) : pressOnPage(state, page, name)) ?? pressAnywhere(state, name)
}

const only = (state: WatchState): Step => ({ state, effects: [] })
const withEffect = (state: WatchState, effect: Effect): Step => ({ state, effects: [effect] })
const fails = (state: WatchState, text: string): Step => only({ ...state, notice: { kind: 'failed', text } })

/** Letter keys that do the same as a named key. */
const SAME: Readonly<Record<string, KeyName>> = { j: 'down', k: 'up', h: 'left', g: 'home', G: 'end' }
const meaningOf = (name: string): string => SAME[name] ?? name

const PAGE_OF_CARDS = 5

function pressOnBoard(state: WatchState, name: string): Step | null {
  const moved = (move: Parameters<typeof moveSelection>[1]): Step => only(reveal(moveSelection(state, move)))
  switch (meaningOf(name)) {
    case 'up':
      return moved({ cards: -1 })
    case 'down':
      return moved({ cards: 1 })
    case 'left':
    case 'back_tab':
      return moved({ columns: -1 })
    case 'right':
    case 'tab':
      return moved({ columns: 1 })
    case 'page_up':
      return moved({ cards: -PAGE_OF_CARDS })
    case 'page_down':
      return moved({ cards: PAGE_OF_CARDS })
    case 'home':
      return moved({ cards: -Infinity })
    case 'end':
      return moved({ cards: (columnsIn(state)[selectedColumn(state)]?.cards.length ?? 0) - 1 })
    case 'enter': {
      const card = selectedCard(state)
      return card === null ? only(state) : only(openPage(state, cardPage(card.id)))
    }
    case '/':
      return only({ ...state, editor: { kind: 'filter', field: fieldWith(state.filter), before: state.filter } })
    case 'e':
      return only(openPage(state, { kind: 'events', top: 0 }))
    case 'p':
    case ' ':
      return pressPause(state)
    case 'escape':
      return only({ ...state, filter: '' })
    case 'q':
      return withEffect(state, { kind: 'quit' })
    default:
      return null
  }
}

const cardPage = (card: string): Page => ({ kind: 'card', card, top: 0, content: null })

const openPage = (state: WatchState, page: Page): WatchState => ({ ...state, pages: [...state.pages, page] })
const closePage = (state: WatchState): WatchState => ({ ...state, pages: state.pages.slice(0, -1) })

function pressPause(state: WatchState): Step {
  const board = selectedCard(state)?.board ?? state.view?.board ?? null
  if (board === null) return fails(state, 'Select a card of the board to pause.')
  return withEffect(state, { kind: 'pause', board, isPaused: !state.paused.includes(board) })
}

function pressOnPage(state: WatchState, page: Page, name: string): Step | null {
  const scroll = (lines: number): Step => only(scrollTo(state, page, topOf(state, page) + lines))
  switch (meaningOf(name)) {
    case 'up':
      return scroll(-1)
    case 'down':
    case 'enter':
      return scroll(1)
    case 'page_up':
      return scroll(-pageRows(state))
    case 'page_down':
    case ' ':
      return scroll(pageRows(state))
    case 'home':
      return only(scrollTo(state, page, 0))
    case 'end':
      return only(scrollTo(state, page, Infinity))
    case 'left':
    case 'escape':
    case 'q':
      return only(closePage(state))
    default:
      return null
  }
}

function scrollTo(state: WatchState, page: Page, wanted: number): WatchState {
  const last = lastTop(state, page)
  const top = Math.min(Math.max(0, wanted), last)
  return withPage(state, page.kind === 'log' ? { ...page, top, follows: top === last } : { ...page, top })
}

function pressAnywhere(state: WatchState, name: string): Step {
  const subject = subjectOf(state)
  const page = pageOf(state)
  switch (name) {
    case '?':
      return only(page?.kind === 'help' ? state : openPage(state, { kind: 'help', top: 0 }))
    case 'l':
      if (subject === null || page?.kind === 'log') return only(state)
      return only(openPage(state, logPage(subject)))
    case 'a':
      return startAnswer(state)
    case 'r': {
      const remedy = retryOf(subject)
      if (subject === null) return only(state)
      if (remedy === null) return fails(state, `${shortId(subject.id)} can't be retried now.`)
      return withEffect(state, { kind: 'run', remedy, done: `Retrying ${shortId(subject.id)}.` })
    }
    case 'o':
      if (subject === null) return only(state)
      return withEffect(state, { kind: 'browse', board: subject.board, card: subject.id })
    default:
      return only(state)
  }
}

const logPage = ({ id, title }: { readonly id: string; readonly title: string }): Page => ({
  kind: 'log',
  card: id,
  title,
  top: 0,
  follows: true,
  passages: [],
  isOver: false,
})

/** Starts an answer. The card's page opens first, because it shows the whole question. */
function startAnswer(state: WatchState): Step {
  const subject = subjectOf(state)
  const remedy = answerOf(subject)
  if (subject === null) return only(state)
  if (remedy === null) return fails(state, `${shortId(subject.id)} has no question.`)
  const opened = pageOf(state)?.kind !== 'card'
  const base = opened ? openPage(state, cardPage(subject.id)) : state
  return only({ ...base, editor: { kind: 'answer', field: fieldWith(''), card: subject.id, remedy, opened } })
}

function pressInEditor(state: WatchState, editor: Editor, key: Key): Step {
  const name = key.kind === 'named' ? key.name : null
  if (name === 'enter') return submit(state, editor)
  if (name === 'escape') return only(cancel(state, editor))
  const field = editField(editor.field, key)
  if (field === null) return only(editor.kind === 'answer' ? scrollBehind(state, name) : state)
  const edited = { ...state, editor: { ...editor, field } }
  return only(editor.kind === 'filter' ? { ...edited, filter: textOf(field).trim() } : edited)
}

/** Scrolls the page of a card while a person answers the question of the card. */
function scrollBehind(state: WatchState, name: KeyName | null): WatchState {
  const page = pageOf(state)
  return page === null || name === null ? state : (pressOnPage(state, page, name)?.state ?? state)
}

function cancel(state: WatchState, editor: Editor): WatchState {
  const closed = { ...state, editor: null }
  if (editor.kind === 'filter') return { ...closed, filter: editor.before }
  return editor.opened ? closePage(closed) : closed
}

function submit(state: WatchState, editor: Editor): Step {
  if (editor.kind === 'filter') return only({ ...state, editor: null })
  const text = textOf(editor.field).trim()
  if (text === '') return only(state)
  const { remedy, card, opened } = editor
  const [field = 'text'] = remedy.asks
  const closed = { ...state, editor: null }
  return withEffect(opened ? closePage(closed) : closed, {
    kind: 'run',
    remedy: { ...remedy, input: { ...remedy.input, [field]: text }, asks: [] },
    done: `Answered ${shortId(card)}.`,
  })
}
