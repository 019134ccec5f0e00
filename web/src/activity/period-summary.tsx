import { useQuery } from '@tanstack/react-query'
import { useNow } from '../app-state/use-now.ts'
import { formatCompact, formatMoment, formatMoney } from '../i18n/format.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Figures } from '../page/facts.tsx'
import { Skeleton } from '../ui/states.tsx'
import css from './activity.module.css'
import { activityMessages } from './messages.ts'
import { rangeOf } from './periods.ts'
import type { Period } from './periods.ts'
import { totalsQuery } from './queries.ts'

interface Props {
  readonly board: string | null
  readonly period: Period
}

/** Shows what finished in the period, and what it cost. */
export function PeriodSummary({ board, period }: Props) {
  const t = useMessages(activityMessages)
  const language = useLanguage()
  const now = useNow()
  const range = rangeOf(period, now)
  const { data } = useQuery(totalsQuery(board, range))
  const totals = data?.period
  const from = formatMoment(language, range.from, now)
  const bone = <Skeleton width="3rem" />
  const number = (value: number | undefined) => (value === undefined ? bone : formatNumber(language, value))
  return (
    <section className={css.summary} aria-label={t('figures')} aria-busy={totals === undefined}>
      <Figures
        figures={[
          { name: t('finished'), value: number(totals?.cards) },
          { name: t('failed'), value: number(totals?.failed) },
          { name: t('cost'), value: totals === undefined ? bone : formatMoney(language, totals.costUsd) },
          {
            name: t('tokens'),
            value: totals === undefined ? bone : formatCompact(language, totals.inputTokens + totals.outputTokens),
          },
        ]}
      />
      <p className={css.range}>
        {range.until === null
          ? t('since', { from })
          : t('range', { from, until: formatMoment(language, range.until, now) })}
        {data?.isExact === false && ` · ${t('atLeast')}`}
      </p>
    </section>
  )
}
