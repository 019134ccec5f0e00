import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { InboxItem } from '../api/queries.ts'
import { serverNow } from '../api/server-clock.ts'
import { describeError } from '../i18n/describe-error.ts'
import { formatMoment } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { showToast } from '../ui/toasts.ts'
import { actionMessages } from './action-messages.ts'
import { useItemCommand } from './use-item-command.ts'

/** Hides an item until a time, and offers to undo it. Null hides the item until it changes. */
export function useHide(item: InboxItem) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const queries = useQueryClient()
  const refuse = (error: unknown): void => void showToast({ kind: 'failed', text: describeError(error, language) })
  const undo = (): void =>
    void client
      .inboxRestore({ item: item.id })
      .then(() => queries.invalidateQueries({ queryKey: keys.inbox }))
      .catch(refuse)
  return useItemCommand<number | null, unknown>(item, {
    run: (until) =>
      until === null ? client.inboxDone({ item: item.id }) : client.inboxSnooze({ item: item.id, until }),
    done: (_, until) => ({
      text: until === null ? t('isHidden') : t('snoozed', { time: formatMoment(language, until, serverNow()) }),
      action: { label: t('undo'), onChoose: undo },
    }),
    onRefusal: refuse,
  })
}
