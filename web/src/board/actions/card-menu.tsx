/** The menu of one or several cards. It lists their actions, or the columns, agents or priorities to choose from. */
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { rosterQuery } from '../../api/queries.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { useNow } from '../../app-state/use-now.ts'
import { useValue } from '../../app-state/use-value.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { MenuAt } from '../../ui/menu.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { focusCard } from '../keyboard/focus.ts'
import type { Moves } from '../moving/use-moves.ts'
import { entriesFor } from './menu-entries.tsx'
import { cardsOf } from './known-cards.ts'
import { actionMessages } from './messages.ts'
import { dialogRequest, menuRequest } from './requests.ts'
import type { MenuRequest } from './requests.ts'
import type { CardSteps } from './use-card-steps.ts'

interface Props {
  readonly moves: Moves
  readonly steps: CardSteps
}

export function CardMenu(props: Props) {
  const request = useValue(menuRequest)
  // Each request gets a new menu, because each menu opens at its own place.
  return request === null ? null : (
    <OpenMenu key={`${request.kind} ${request.at.x} ${request.at.y}`} request={request} {...props} />
  )
}

function OpenMenu({ request, moves, steps }: Props & { readonly request: MenuRequest }) {
  const t = useMessages(actionMessages)
  const tUi = useMessages(uiMessages)
  const language = useLanguage()
  const now = useNow()
  const canWrite = useCanWrite()
  const [, navigate] = useLocation()
  const { data: roster } = useQuery({ ...rosterQuery, enabled: request.kind === 'assign' })
  const cards = cardsOf(request.ids)
  const close = (): void => {
    if (menuRequest.get() === request) menuRequest.set(null)
  }
  const [first] = cards
  if (first === undefined) return null
  const entries = entriesFor({
    request,
    cards,
    moves,
    steps,
    navigate,
    agents: roster?.agents ?? [],
    language,
    now,
    offline: canWrite ? null : tUi('notWhileOffline'),
  })
  return (
    <MenuAt
      entries={entries}
      at={request.at}
      label={request.kind === 'move' ? t('moveMenu') : t('actions')}
      onClose={close}
      onFocusBack={() => {
        if (dialogRequest.get() === null && menuRequest.get() === null) focusCard(first.id)
      }}
    />
  )
}
