import { formatClock, formatMoney } from '../i18n/format.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import css from './activity.module.css'
import { activityMessages } from './messages.ts'
import type { ActivityEvent } from './queries.ts'

interface Props {
  readonly result: NonNullable<ActivityEvent['result']>
}

/** The shortest time that is shown. */
const SHORT_MS = 1_000

/** Shows what a finished card took: its attempts, time, cost, checks and changes. */
export function EventResult({ result: { attempts, durationMs, costUsd, work } }: Props) {
  const t = useMessages(activityMessages)
  const language = useLanguage()
  const { checks, changes } = work
  return (
    <p className={css.result}>
      {attempts > 1 && <span>{t('attempts', { n: attempts })}</span>}
      {durationMs >= SHORT_MS && <span>{formatClock(language, durationMs)}</span>}
      {costUsd !== null && <span>{formatMoney(language, costUsd)}</span>}
      {checks !== null && (
        <span className={checks.passed === checks.total ? css.good : css.bad}>{t('checks', checks)}</span>
      )}
      {changes !== null && (
        <span>
          <span className={css.good}>+{changes.added}</span> <span className={css.bad}>−{changes.removed}</span>{' '}
          {t('files', { n: changes.files })}
        </span>
      )}
    </p>
  )
}
