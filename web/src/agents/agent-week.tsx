import { formatCompact, formatMoney, formatPercent } from '../i18n/format.ts'
import { formatNumber } from '../i18n/messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Figures } from '../page/facts.tsx'
import css from './detail.module.css'
import { detailMessages } from './detail-messages.ts'
import type { Member } from './queries.ts'

export function AgentWeek({ week }: { readonly week: Member['week'] }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  const number = (value: number): string => formatNumber(language, value)
  const { runs, succeeded, failed, successRate, costUsd, inputTokens, outputTokens } = week
  return (
    <section className={css.section}>
      <h3 className={css.heading}>{t('week')}</h3>
      {runs === 0 ? (
        <p>{t('noWeek')}</p>
      ) : (
        <Figures
          figures={[
            { name: t('runs'), value: number(runs) },
            { name: t('succeeded'), value: number(succeeded) },
            { name: t('failed'), value: number(failed) },
            { name: t('success'), value: successRate === null ? '–' : formatPercent(language, successRate) },
            { name: t('cost'), value: formatMoney(language, costUsd) },
            {
              name: t('tokens'),
              value: formatCompact(language, inputTokens + outputTokens),
              note:
                inputTokens + outputTokens === 0
                  ? undefined
                  : t('inAndOut', {
                      input: formatCompact(language, inputTokens),
                      output: formatCompact(language, outputTokens),
                    }),
            },
          ]}
        />
      )}
    </section>
  )
}
