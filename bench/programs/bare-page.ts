/// <reference lib="dom" />
/** The floor for the dashboard: a React page that shows the cards of the same JSON, without anything else. */
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

interface Card {
  readonly id: string
  readonly title: string
  readonly assignee: string | null
}

interface Board {
  readonly columns: readonly { readonly status: string; readonly cards: readonly Card[] }[]
}

const cardElement = ({ id, title, assignee }: Card) =>
  createElement('article', { key: id }, createElement('h3', null, title), createElement('p', null, assignee))

const root = document.createElement('main')
document.body.append(root)
const board = (await (await fetch('/board.json')).json()) as Board
createRoot(root).render(
  board.columns.map(({ status, cards }) => createElement('section', { key: status }, cards.map(cardElement))),
)
