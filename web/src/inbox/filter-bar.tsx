import type { InboxKind } from '../../../src/core/inbox.ts'
import { useQuery } from '@tanstack/react-query'
import { summaryQuery } from '../api/queries.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Chips } from '../ui/chips.tsx'
import { filtersToShow } from './filters.ts'
import type { Filter } from './filters.ts'
import css from './inbox.module.css'
import { inboxMessages, kindMessages } from './messages.ts'

interface Props {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
}

export function FilterBar({ filter, onChange }: Props) {
  const t = useMessages(inboxMessages)
  const tKind = useMessages(kindMessages)
  const language = useLanguage()
  const { data } = useQuery(summaryQuery)
  const nameOf = (one: Filter): string =>
    one === 'all' || one === 'hidden' ? t(one) : tKind(`${one satisfies InboxKind}s`)
  return (
    <div className={css.filters}>
      <Chips
        label={t('filters')}
        current={filter}
        onChange={onChange}
        choices={filtersToShow(data?.waiting, filter).map(({ filter: key, count, isCut }) => ({
          key,
          label: count === null ? nameOf(key) : `${nameOf(key)} ${formatNumber(language, count)}${isCut ? '+' : ''}`,
        }))}
      />
    </div>
  )
}
