/** Shows the last attempts, one line each. */
import { formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { useQueryFields } from '../../routes/use-query-fields.ts'
import { Clock, Money } from '../../ui/time.tsx'
import { toneOfRun, totalsOf } from '../attempts/attempt-lines.ts'
import { TONE_ICONS } from '../attempts/attempt-row.tsx'
import look from '../attempts/attempts.module.css'
import { attemptMessages } from '../attempts/messages.ts'
import type { TabProps } from '../card-details.ts'
import css from './overview.module.css'
import { Section } from './section.tsx'

const SHOWN = 3

export function AttemptsSection({ card }: TabProps) {
  const t = useMessages(attemptMessages)
  const language = useLanguage()
  const setQuery = useQueryFields()
  const { costUsd } = totalsOf(card)
  if (card.runs.length === 0) return null
  return (
    <Section title={t('list')} note={costUsd !== null && t.rich('inAll', { cost: <Money usd={costUsd} /> })}>
      <div className={css.box}>
        {card.runs
          .slice(-SHOWN)
          .toReversed()
          .map((run) => {
            const tone = toneOfRun(run)
            return (
              <button
                key={run.id}
                type="button"
                className={css.line}
                onClick={() => setQuery({ tab: 'attempts', run: String(run.attempt) })}
              >
                <span className={look[tone]}>{TONE_ICONS[tone]}</span>
                <span className={css.name}>
                  {t('attempt', { attempt: run.attempt })} {t(run.outcome ?? 'running')}
                </span>
                <span className={css.end}>
                  {run.endedAt === null ? (
                    <Clock since={run.startedAt} />
                  ) : (
                    formatSpan(language, run.endedAt - run.startedAt)
                  )}
                  {run.usage?.costUsd != null && (
                    <>
                      {' · '}
                      <Money usd={run.usage.costUsd} />
                    </>
                  )}
                </span>
              </button>
            )
          })}
      </div>
    </Section>
  )
}
