import { client } from '../api/client.ts'
import type { InboxItem } from '../api/queries.ts'
import { useNow } from '../app-state/use-now.ts'
import { formatMoment } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { actionMessages } from './action-messages.ts'
import { nameOf } from './card-item.ts'
import { useInbox } from './inbox-context.ts'
import { ItemHeading } from './item-heading.tsx'
import css from './item.module.css'
import { Refusal } from './refusal.tsx'
import { useItemCommand } from './use-item-command.ts'
import { useItemKeys } from './use-item-keys.ts'

/** Shows an item that a person hid, with a button that shows it in the list again. */
export function HiddenItem({ item }: { readonly item: InboxItem }) {
  const t = useMessages(actionMessages)
  const language = useLanguage()
  const now = useNow()
  const { currentId } = useInbox()
  const restore = useItemCommand<void, unknown>(item, {
    run: () => client.inboxRestore({ item: item.id }),
    done: () => ({ text: t('back', { name: nameOf(item) }) }),
  })
  useItemKeys(item.id, { act: () => restore.mutate() })
  if (item.hidden === null) return null
  const { until, by } = item.hidden
  return (
    <>
      <ItemHeading item={item} />
      <div className={css.actions}>
        <span className={css.proof}>
          {until === null
            ? t('hiddenUntilChange', { by })
            : t('hiddenUntil', { by, time: formatMoment(language, until, now) })}
        </span>
        <span className={css.push}>
          <Button
            size="small"
            look={currentId === item.id ? 'primary' : 'normal'}
            writes
            isBusy={restore.isPending}
            onClick={() => restore.mutate()}
          >
            {t('bringBack')}
          </Button>
        </span>
      </div>
      <Refusal error={restore.error} />
    </>
  )
}
