/**
 * Keeps the focus on a card of the board. Lists mount only the cards near their visible part, and a live change may
 * move the focused card to another column. So the focus is kept by the id of the card.
 */
import { shownColumns } from './columns.ts'
import { successorOf } from './next-card.ts'

let focused: string | null = null
/** The ids in the column of the focused card, to find the card that gets the focus next. */
let column: readonly string[] = []
/** The card that gets the focus when its list mounts the card. */
let wanted: string | null = null

const linkOf = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-card="${id}"] a`)

export const focusedCard = (): string | null => focused

/** Whether a card has the focus, or no element has it. */
export const isOnBoard = (): boolean => {
  const active = document.activeElement
  return active === null || active === document.body || active.closest('[data-lane]') !== null
}

export function noteFocus(id: string): void {
  focused = id
  column = shownColumns().find(({ cards }) => cards.includes(id))?.cards ?? []
}

/** Notes that a card lost the focus. If React removed the card, it is still the focused card. */
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

/** Gives the focus to a card that was just mounted, if the card should have the focus. */
export function focusIfWanted(id: string): void {
  if (wanted !== id) return
  wanted = null
  linkOf(id)?.focus({ preventScroll: true })
}

/**
 * Restores the focus after the lists changed. The focused card keeps the focus in its new place. If the card is gone,
 * its successor gets the focus.
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
