import { useLocation } from 'wouter'
import type { InboxItem } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { cardPath } from '../routes/paths.ts'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { actionMessages } from './action-messages.ts'
import { isCardItem } from './card-item.ts'
import { stepFrom } from './queue.ts'

type Step = (items: readonly InboxItem[], id: string | null) => InboxItem | null

/** The shortcuts of the list: J and K move between the items. O and Enter open the card of the current item. */
export function useListKeys(move: (step: Step) => void, current: InboxItem | null): void {
  const t = useMessages(actionMessages)
  const [, navigate] = useLocation()
  const group = t('group')
  const open = (): void => {
    if (current !== null && isCardItem(current)) navigate(cardPath(current.board, current.id))
  }
  useShortcuts([
    { keys: 'j', name: t('next'), group, onPress: () => move((items, id) => stepFrom(items, id, 1)) },
    { keys: 'k', name: t('previous'), group, onPress: () => move((items, id) => stepFrom(items, id, -1)) },
    { keys: 'o', name: t('open'), group, onPress: open },
  ])
}
