/** The shortcuts of the board. Letters work on the whole page; arrow keys work only while a card has the focus. */
import { useEffect } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useShortcuts } from '../../shortcuts/use-shortcut.tsx'
import { useValue } from '../../app-state/use-value.ts'
import { openMenuAt } from '../actions/requests.ts'
import { clearSelection, extended, selection, toggled } from '../selection/selection.ts'
import { shownColumns } from './columns.ts'
import { focusCard, focusedCard, isOnBoard } from './focus.ts'
import { keyMessages } from './messages.ts'
import { nextCard } from './next-card.ts'
import type { Direction } from './next-card.ts'

export interface KeyActions {
  /** Moves the focused card up or down in its column. */
  readonly shift: (id: string, by: 'up' | 'down') => void
  readonly remove: (ids: readonly string[]) => void
  /** Opens the dialog that answers the question of a card or approves the card. */
  readonly answer: (id: string) => void
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

function go(direction: Direction, extends_ = false): void {
  const from = focusedCard()
  const to = nextCard(shownColumns(), from, direction)
  if (to === null) return
  if (extends_ && from !== null) {
    const start = selection.get().ids.has(from) ? selection.get() : toggled(selection.get(), from)
    selection.set(extended(start, to, shownColumns().find(({ cards }) => cards.includes(to))?.cards ?? []))
  }
  focusCard(to)
}

/** The ids of the selected cards. Without a selection, the id of the focused card. */
export function chosenIds(): readonly string[] {
  const { ids } = selection.get()
  const card = focusedCard()
  if (ids.size > 0) return [...ids]
  return card === null ? [] : [card]
}

const elementOf = (id: string): Element | null => document.querySelector(`[data-card="${id}"]`)

export function useBoardKeys({ shift, remove, answer }: KeyActions): void {
  const t = useMessages(keyMessages)
  const hasSelection = useValue(selection).ids.size > 0
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const direction = ARROWS[event.key]
      const onCard =
        event.target instanceof Element && event.target.closest('[data-card] h3, [data-lane] [role=list]') !== null
      if (direction === undefined || !onCard || event.defaultPrevented || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      const card = focusedCard()
      if (!event.altKey) go(direction, event.shiftKey)
      else if (card !== null && (direction === 'up' || direction === 'down')) shift(card, direction)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
  const key = (keys: string, name: string, onPress: () => void) => ({ keys, name, group: t('group'), onPress })
  const listed = (keys: string, name: string) => ({ ...key(keys, name, () => {}), isElsewhere: true })
  useShortcuts([
    key('j', t('down'), () => go('down')),
    key('k', t('up'), () => go('up')),
    listed('arrowup arrowdown arrowleft arrowright', t('focus')),
    listed('enter', t('open')),
    key('x', t('select'), () => {
      const card = focusedCard()
      if (card !== null) selection.set(toggled(selection.get(), card))
    }),
    listed('shift+arrowdown', t('extend')),
    listed('alt+arrowup alt+arrowdown', t('reorder')),
    key('m', t('move'), () => {
      const ids = chosenIds()
      const element = elementOf(focusedCard() ?? ids[0] ?? '')
      if (element !== null && ids.length > 0) openMenuAt(element, 'move', ids)
    }),
    key('d', t('remove'), () => remove(chosenIds())),
    key('a', t('answer'), () => {
      const card = focusedCard()
      if (card !== null && isOnBoard()) answer(card)
    }),
  ])
  useShortcuts(hasSelection ? [key('escape', t('clear'), clearSelection)] : [])
}
