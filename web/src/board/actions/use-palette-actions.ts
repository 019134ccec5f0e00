/** Offers in the palette what can be done with the chosen cards: every action and every move that core allows. */
import { useEffect, useRef } from 'react'
import { useLocation, useRoute } from 'wouter'
import { providePageActions } from '../../app-state/page-actions.ts'
import type { PageAction, PageActions } from '../../app-state/page-actions.ts'
import { useNow } from '../../app-state/use-now.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { ROUTES } from '../../routes/paths.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { chosenIds } from '../keyboard/use-board-keys.ts'
import { selectionMessages } from '../selection/messages.ts'
import { LANES } from '../lanes.ts'
import type { Moves } from '../moving/use-moves.ts'
import { cardsOf } from './known-cards.ts'
import { entriesFor } from './menu-entries.tsx'
import { actionMessages } from './messages.ts'
import type { CardSteps } from './use-card-steps.ts'

interface Props {
  readonly moves: Moves
  readonly steps: CardSteps
}

export function usePaletteActions({ moves, steps }: Props): void {
  const t = useMessages(actionMessages)
  const tSelection = useMessages(selectionMessages)
  const language = useLanguage()
  const now = useNow()
  const canWrite = useCanWrite()
  const [, navigate] = useLocation()
  const [, open] = useRoute(ROUTES.card)
  const ask = (): PageActions | null => {
    const chosen = chosenIds()
    const cards = cardsOf(chosen.length > 0 ? chosen : open === null ? [] : [open.card])
    const [first] = cards
    if (first === undefined || !canWrite) return null
    const ids = cards.map(({ id }) => id)
    const of = (kind: 'card' | 'move') =>
      entriesFor({
        request: { kind, ids, at: placeOf(first.id) },
        cards,
        moves,
        steps,
        navigate,
        agents: [],
        language,
        now,
        offline: null,
      })
    const move = t('moveTo').replace('…', '')
    return {
      about: cards.length === 1 ? first.title : tSelection('selected', { n: cards.length }),
      actions: [
        ...of('card').flatMap((entry) => actionOf(entry, entry.key)),
        ...of('move').flatMap((entry) => actionOf(entry, `move ${entry.key}`, isLane(entry.key) ? `${move}: ` : '')),
      ],
    }
  }
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => providePageActions(() => latest.current()), [])
}

const isLane = (key: string): boolean => LANES.some((lane) => lane === key)

/** Returns the palette action for an entry. The list is empty if the entry cannot be chosen now. */
function actionOf(entry: MenuEntry, key: string, before = ''): readonly PageAction[] {
  if (!('onChoose' in entry) || typeof entry.label !== 'string' || (entry.disabledReason ?? null) !== null) return []
  const { label, icon, onChoose } = entry
  return [{ key, label: `${before}${label}`, icon, onChoose }]
}

/** Returns where a menu opens: beside the card, or in the middle of the window. */
function placeOf(id: string) {
  const card = document.querySelector(`[data-card="${id}"]`)
  const { x, y, width, height } = card?.getBoundingClientRect() ?? {
    x: innerWidth / 2,
    y: innerHeight / 3,
    width: 0,
    height: 0,
  }
  return { x, y, width, height }
}
