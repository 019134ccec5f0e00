import { useMessages } from '../i18n/use-messages.tsx'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { actionMessages } from './action-messages.ts'
import { useInbox } from './inbox-context.ts'

interface Keys {
  /** The main action of the item: answer, approve, retry, or whatever is closest to these. */
  readonly act?: () => void
  readonly requestChanges?: () => void
}

/** Registers the shortcuts of the current item. */
export function useItemKeys(id: string, { act, requestChanges }: Keys): void {
  const t = useMessages(actionMessages)
  const isCurrent = useInbox().currentId === id
  const group = t('group')
  useShortcuts(
    isCurrent
      ? [
          ...(act === undefined ? [] : [{ keys: 'a', name: t('act'), group, onPress: act }]),
          ...(requestChanges === undefined
            ? []
            : [{ keys: 'r', name: t('requestChanges'), group, onPress: requestChanges }]),
        ]
      : [],
  )
}
