import { formatCompact, formatSpan } from '../../i18n/format.ts'
import { formatNumber } from '../../i18n/messages.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Figures } from '../../page/facts.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { useQueryFields } from '../../routes/use-query-fields.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Money } from '../../ui/time.tsx'
import type { TabProps } from '../card-details.ts'
import { cardMessages } from '../messages.ts'
import { namedRun, totalsOf } from './attempt-lines.ts'
import { AttemptRow } from './attempt-row.tsx'
import css from './attempts.module.css'
import { attemptMessages } from './messages.ts'

export function AttemptsTab({ card }: TabProps) {
  const t = useMessages(attemptMessages)
  const tCard = useMessages(cardMessages)
  const [named] = useQueryField('run')
  const change = useQueryFields()
  const open = namedRun(card.runs, named)
  if (card.runs.length === 0) return <EmptyState title={tCard('noAttempt')}>{tCard('noAttemptText')}</EmptyState>
  return (
    <div className={css.attempts}>
      {card.runs.length > 1 && <Sums card={card} />}
      <ol className={css.list} aria-label={t('list')}>
        {card.runs.toReversed().map((run) => (
          <AttemptRow
            key={run.id}
            run={run}
            isOpen={open === null ? card.runs.length === 1 : open.id === run.id}
            isNamed={open?.id === run.id}
            onToggle={() => change({ run: open?.id === run.id ? null : String(run.attempt) }, { adds: false })}
            onTranscript={() => change({ tab: 'transcript', run: String(run.attempt) })}
          />
        ))}
      </ol>
    </div>
  )
}

function Sums({ card }: TabProps) {
  const t = useMessages(attemptMessages)
  const language = useLanguage()
  const { attempts, costUsd, inputTokens, outputTokens, durationMs } = totalsOf(card)
  return (
    <section aria-label={t('total')}>
      <Figures
        figures={[
          { name: t('list'), value: formatNumber(language, attempts) },
          { name: t('duration'), value: formatSpan(language, durationMs) },
          { name: t('cost'), value: costUsd === null ? t('costUnknown') : <Money usd={costUsd} /> },
          ...(inputTokens === null && outputTokens === null
            ? []
            : [{ name: t('tokens'), value: formatCompact(language, (inputTokens ?? 0) + (outputTokens ?? 0)) }]),
        ]}
      />
    </section>
  )
}
