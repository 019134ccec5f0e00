import { Check, ChevronRight, Minus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { formatCompact, formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Facts } from '../../page/facts.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Clock, Money, RelativeTime } from '../../ui/time.tsx'
import type { CardRun } from '../card-details.ts'
import { plainText } from '../../ui/plain-text.ts'
import { DiffCount } from '../overview/diff-count.tsx'
import { reasonOfRun, toneOfRun } from './attempt-lines.ts'
import type { OutcomeTone } from './attempt-lines.ts'
import css from './attempts.module.css'
import { attemptMessages } from './messages.ts'

export const TONE_ICONS: Readonly<Record<OutcomeTone, ReactNode>> = {
  good: <Check />,
  bad: <X />,
  quiet: <Minus />,
  live: <span className={css.beat} />,
}

interface Props {
  readonly run: CardRun
  readonly isOpen: boolean
  /** Whether the URL names the attempt. */
  readonly isNamed: boolean
  readonly onToggle: () => void
  readonly onTranscript: () => void
}

export function AttemptRow({ run, isOpen, isNamed, onToggle, onTranscript }: Props) {
  const t = useMessages(attemptMessages)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isNamed) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isNamed])
  const tone = toneOfRun(run)
  const given = reasonOfRun(run)
  const reason = given === null ? null : plainText(given)
  return (
    <li ref={row} className={css.row}>
      <button type="button" className={css.head} aria-expanded={isOpen} onClick={onToggle}>
        <span className={css[tone]}>{TONE_ICONS[tone]}</span>
        <span className={css.what}>
          <b>{t('attempt', { attempt: run.attempt })}</b> {t(run.outcome ?? 'running')}
          {run.phase !== 'work' && <span className={css.phase}>{t(`phase_${run.phase}`)}</span>}
        </span>
        <span className={css.end}>
          <Length run={run} />
          {run.usage?.costUsd != null && <Money usd={run.usage.costUsd} />}
          <ChevronRight className={css.chevron} />
        </span>
        {reason !== null && !isOpen && <span className={css.reason}>{reason}</span>}
      </button>
      {isOpen && <Details run={run} reason={reason} onTranscript={onTranscript} />}
    </li>
  )
}

function Length({ run: { startedAt, endedAt } }: Pick<Props, 'run'>) {
  const language = useLanguage()
  return endedAt === null ? <Clock since={startedAt} /> : <span>{formatSpan(language, endedAt - startedAt)}</span>
}

function Details({
  run,
  reason,
  onTranscript,
}: Pick<Props, 'run' | 'onTranscript'> & { readonly reason: string | null }) {
  const t = useMessages(attemptMessages)
  const language = useLanguage()
  const { agent, claimedBy, account, machine, identity, usage, changes, exitCode, signal } = run
  const exit =
    signal !== null ? t('exitSignal', { signal }) : exitCode !== null ? t('exitCode', { code: exitCode }) : null
  const count = (value: number | null): string => (value === null ? '–' : formatCompact(language, value))
  return (
    <div className={css.details}>
      {reason !== null && (
        <div className={css.whole}>
          <CodeBlock wraps>{reason}</CodeBlock>
        </div>
      )}
      <Facts
        facts={[
          { name: t('phase'), value: run.kind === 'manual' ? t('manual') : t(`phase_${run.phase}`) },
          {
            name: t('by'),
            value: (
              <span className={css.agent}>
                {agent !== null && <Avatar agent={agent} />}
                {agent ?? claimedBy}
              </span>
            ),
          },
          { name: t('account'), value: account },
          { name: t('machine'), value: identity?.hostname ?? machine },
          { name: t('started'), value: <RelativeTime at={run.startedAt} as="relative" /> },
          { name: t('duration'), value: <Length run={run} /> },
          { name: t('limit'), value: run.maxRuntimeMs === null ? null : formatSpan(language, run.maxRuntimeMs) },
          { name: t('exit'), value: exit },
          {
            name: t('tokens'),
            value:
              usage === null || (usage.inputTokens === null && usage.outputTokens === null)
                ? null
                : t('tokensInOut', { input: count(usage.inputTokens), output: count(usage.outputTokens) }),
          },
          { name: t('cost'), value: usage?.costUsd == null ? null : <Money usd={usage.costUsd} /> },
          { name: t('changes'), value: changes === null ? null : <DiffCount {...changes} /> },
          { name: t('commit'), value: changes?.commit ?? null, isCode: true },
          { name: t('note'), value: run.note },
        ]}
      />
      {run.kind === 'agent' && run.phase !== 'check' && (
        <Button size="small" onClick={onTranscript}>
          {t('transcript')}
        </Button>
      )}
    </div>
  )
}
