import { useState } from 'react'
import { useNow } from '../../app-state/use-now.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { TabProps } from '../card-details.ts'
import { dayName } from './day-name.ts'
import { byDay, shownEvents } from './event-days.ts'
import { EventRow } from './event-row.tsx'
import css from './history.module.css'
import { historyMessages } from './messages.ts'
import { Snapshots } from './snapshots.tsx'
import { useEvents } from './use-events.ts'

export function HistoryTab({ card }: TabProps) {
  const t = useMessages(historyMessages)
  const language = useLanguage()
  const now = useNow()
  const [withDetails, setWithDetails] = useState(false)
  const { events: known, isAll, isLoading, error, loadEarlier } = useEvents(card)
  const events = shownEvents(known, withDetails)
  const agents = new Map(card.runs.map(({ id, agent, claimedBy }) => [id, agent ?? claimedBy]))
  return (
    <div className={css.history}>
      <div className={css.head}>
        <Switch isOn={withDetails} onChange={setWithDetails}>
          {t('details')}
        </Switch>
      </div>
      {events.length === 0 && <EmptyState title={t('none')}>{t('noneText')}</EmptyState>}
      {byDay(events).map(({ at, events: ofDay }) => (
        <section key={at} aria-label={t('list')}>
          <h3 className={css.day}>{dayName(language, at, now)}</h3>
          <ul>
            {ofDay.map((event) => (
              <EventRow key={event.id} event={event} agentOf={(run) => agents.get(run) ?? null} />
            ))}
          </ul>
        </section>
      ))}
      {!isAll && (
        <Button isBusy={isLoading} onClick={loadEarlier}>
          {t('earlier')}
        </Button>
      )}
      {error !== null && (
        <p className={css.fault} role="alert">
          {describeError(error, language)}
        </p>
      )}
      <Snapshots id={card.id} />
    </div>
  )
}
