/**
 * Keeps the focus on a card of the board. Lists mount only cards near the visible part, and a live change may move the
 * focused card to another column. So this file remembers the focused card by its id.
 */
import { shownColumns } from './columns.ts'
import { successorOf } from './next-card.ts'

let focused: string | null = null
/** The ids in the column of the focused card. They show which card gets the focus next. */
let column: readonly string[] = []
/** This card gets the focus as soon as its list mounts it. */
let wanted: string | null = null

const linkOf = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-card="${id}"] a`)

export const focusedCard = (): string | null => focused

/** Whether the focus is on a card or on nothing. */
export const isOnBoard = (): boolean => {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('[data-lane]') !== null
}

export function noteFocus(id: string): void {
  focused = id
  column = shownColumns().find(({ cards }) => cards.includes(id))?.cards ?? []
}

/** Notes that a card lost the focus. If React removed the card, it still counts as focused. */
export function noteBlur(id: string, element: Element): void {
  queueMicrotask(() => {
    if (focused === id && element.isConnected && document.activeElement !== document.body) focused = null
  })
}

export function focusCard(id: string): void {
  focused = id
  const link = linkOf(id)
  if (link !== null) {
    link.focus({ preventScroll: true })
    link.closest('[data-card]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    noteFocus(id)
    return
  }
  wanted = id
  const found = shownColumns().find(({ cards }) => cards.includes(id))
  found?.scrollTo(found.cards.indexOf(id))
}

/** Focuses a card that was just mounted, if it should have the focus. */
export function focusIfWanted(id: string): void {
  if (wanted !== id) return
  wanted = null
  linkOf(id)?.focus({ preventScroll: true })
}

/**
 * Restores the focus after the lists have changed. The focused card keeps the focus in its new place. If the card is
 * gone, the card that took its place gets the focus.
 */
export function restoreFocus(): void {
  if (focused === null) return
  const place = shownColumns().find(({ cards }) => cards.includes(focused ?? ''))
  if (place !== undefined) column = place.cards
  if (document.activeElement !== document.body) return
  const successor = place === undefined ? successorOfFocused() : focused
  if (successor === null) return
  focused = successor
  linkOf(successor)?.focus({ preventScroll: true })
}

function successorOfFocused(): string | null {
  const known = shownColumns().flatMap(({ cards }) => cards)
  return focused === null ? null : successorOf(column, focused, known)
}
