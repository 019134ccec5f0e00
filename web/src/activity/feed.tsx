import { Activity, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useNow } from '../app-state/use-now.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import css from './activity.module.css'
import { dayName, groupByDay } from './by-day.ts'
import { EventRow } from './event-row.tsx'
import { isFiltered } from './filters.ts'
import type { Filters } from './filters.ts'
import { activityMessages } from './messages.ts'
import type { ActivityPage } from './queries.ts'
import { useFeed } from './use-feed.ts'

interface Props {
  readonly filters: Filters
  readonly onChange: (change: Partial<Filters>) => void
  /** The filters of the feed. They scroll together with the events. */
  readonly children: ReactNode
}

export function Feed({ filters, onChange, children }: Props) {
  const t = useMessages(activityMessages)
  const scroll = useRef<HTMLDivElement>(null)
  const { of, page, error, refetch, isOld, fresh, keep, follow } = useFeed(filters)
  useEffect(() => {
    // The braces matter: some browsers return a promise from `scrollTo`, which React would take for a clean-up
    // function.
    scroll.current?.scrollTo({ top: 0 })
  }, [of])
  const isAtTop = (): boolean => (scroll.current?.scrollTop ?? 0) < 8
  const settle = (): void => (isAtTop() ? follow() : keep())
  const showNew = (): void => {
    follow()
    scroll.current?.scrollTo({ top: 0 })
  }
  return (
    <div ref={scroll} className={css.scroll} onScroll={settle}>
      {children}
      {fresh > 0 && (
        <Button look="primary" size="small" icon={<ArrowUp />} className={css.fresh} onClick={showNew}>
          {t('newEvents', { n: fresh })}
        </Button>
      )}
      {page === undefined ? (
        error === null ? (
          <ListSkeleton label={t('loading')} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <div className={css.feed} aria-busy={isOld} onFocus={keep} onBlur={settle}>
          <Days page={page} filters={filters} onChange={onChange} />
        </div>
      )}
    </div>
  )
}

interface DaysProps extends Omit<Props, 'children'> {
  readonly page: ActivityPage
}

function Days({ page: { events, next }, filters, onChange }: DaysProps) {
  const t = useMessages(activityMessages)
  const language = useLanguage()
  const now = useNow()
  return (
    <>
      {events.length === 0 && <Nothing filters={filters} onChange={onChange} />}
      {groupByDay(events).map(({ at, events: list }) => (
        <section key={at} aria-label={dayName(language, at, now)}>
          <h2 className={css.dayName}>{dayName(language, at, now)}</h2>
          <ul className={css.events}>
            {list.map((event) => (
              <EventRow key={event.id} event={event} filters={filters} onChange={onChange} />
            ))}
          </ul>
        </section>
      ))}
      <div className={css.pages}>
        {filters.before !== null && <Button onClick={() => onChange({ before: null })}>{t('newest')}</Button>}
        {next !== null && <Button onClick={() => onChange({ before: next })}>{t('older')}</Button>}
      </div>
    </>
  )
}

const CLEAR: Partial<Filters> = { board: null, group: null, by: null, card: null, period: null, before: null }

function Nothing({ filters, onChange }: Omit<Props, 'children'>) {
  const t = useMessages(activityMessages)
  const isEmpty = !isFiltered(filters) && filters.before === null
  return (
    <EmptyState
      icon={<Activity />}
      title={t(isEmpty ? 'emptyTitle' : 'noMatchTitle')}
      action={isEmpty ? undefined : <Button onClick={() => onChange(CLEAR)}>{t('clear')}</Button>}
    >
      {t(isEmpty ? 'emptyText' : 'noMatchText')}
    </EmptyState>
  )
}
