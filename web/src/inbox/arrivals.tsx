import { useState } from 'react'
import type { InboxItem } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import css from './inbox.module.css'
import { inboxMessages } from './messages.ts'

interface Props {
  readonly items: readonly InboxItem[]
  /** Identifies the filter and the page. The first items that they show do not count as new. */
  readonly of: string
}

/** Announces new items to screen readers. On the screen, new items simply appear. */
export function Arrivals({ items, of }: Props) {
  const t = useMessages(inboxMessages)
  const ids = items.map(({ id }) => id).join(' ')
  const [seen, setSeen] = useState({ of, ids, fresh: 0 })
  if (seen.of !== of || seen.ids !== ids) {
    const known = new Set(seen.ids.split(' '))
    const fresh = seen.of === of ? items.filter(({ id }) => !known.has(id)).length : 0
    setSeen({ of, ids, fresh })
  }
  return (
    <p className={css.unseen} role="status">
      {seen.fresh > 0 && t('arrived', { n: seen.fresh })}
    </p>
  )
}
