import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useNow } from '../app-state/use-now.ts'
import { formatMoney } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { PageHeader } from '../page/page-header.tsx'
import { Feed } from './feed.tsx'
import { FilterBar } from './filter-bar.tsx'
import { readFilters, withFilters } from './filters.ts'
import type { Filters } from './filters.ts'
import { activityMessages } from './messages.ts'
import { rangeOf } from './periods.ts'
import { totalsQuery } from './queries.ts'

export function ActivityScreen() {
  const t = useMessages(activityMessages)
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const change = (next: Partial<Filters>): void => setQuery((before) => withFilters(before, next))
  return (
    <>
      <PageHeader title={t('title')} summary={<Today />} />
      <Feed filters={filters} onChange={change}>
        <FilterBar filters={filters} onChange={change} />
      </Feed>
    </>
  )
}

/** Shows what finished today, on all boards. */
function Today() {
  const t = useMessages(activityMessages)
  const language = useLanguage()
  const { data } = useQuery(totalsQuery(null, rangeOf('today', useNow())))
  if (data?.period === undefined) return null
  const { cards, failed, costUsd } = data.period
  return t('summaryToday', { cards, failed, cost: formatMoney(language, costUsd) })
}
