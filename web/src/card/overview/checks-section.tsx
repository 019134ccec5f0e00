import { Check, ChevronRight, CircleDashed, X } from 'lucide-react'
import { useContext, useState } from 'react'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import type { TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { AnsiText } from '../output/ansi-text.tsx'
import { checkReport } from './check-rows.ts'
import type { CheckReport, CheckRow, FreshResult } from './check-rows.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { Section } from './section.tsx'
import { tellingLines } from './telling-lines.ts'

export function ChecksSection({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  const language = useLanguage()
  const readOnly = useContext(ReadOnlyReason)
  const [fresh, setFresh] = useState<readonly FreshResult[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const run = useCommand({
    run: () => client.check({ task: card.id }),
    onDone: (results) => {
      setFault(null)
      setFresh(results)
    },
    onRefusal: (error) => setFault(describeError(error, language)),
  })
  const report = checkReport(card, fresh)
  if (report.rows.length === 0) return null
  return (
    <Section
      title={t('checks')}
      note={<Result report={report} isFresh={fresh !== null} />}
      actions={
        <Button
          size="small"
          look="ghost"
          writes
          isBusy={run.isPending}
          disabledReason={readOnly}
          onClick={() => run.mutate(undefined)}
        >
          {t('runChecks')}
        </Button>
      }
    >
      {fault !== null && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={css.box}>
        {report.rows.map((row) => (
          <CheckLine key={row.check} row={row} />
        ))}
      </div>
    </Section>
  )
}

function Result({
  report: { rows, passed, at, commit },
  isFresh,
}: {
  readonly report: CheckReport
  readonly isFresh: boolean
}) {
  const t = useMessages(overviewMessages)
  if (isFresh) return <>{t('checksNow', { passed, n: rows.length })}</>
  if (at === null) return <>{t('checksNever')}</>
  const time = <RelativeTime at={at} as="relative" />
  return commit === null ? (
    <>{t.rich('checksAt', { passed, n: rows.length, time })}</>
  ) : (
    <>
      {t.rich('checksOn', {
        passed,
        n: rows.length,
        time,
        commit: <code title={commit}>{commit.slice(0, 7)}</code>,
      })}
    </>
  )
}

const ICONS: Readonly<Record<CheckRow['state'], ReactNode>> = {
  passed: <Check />,
  failed: <X />,
  not_run: <CircleDashed />,
}

function CheckLine({ row: { check, state, fault, output, durationMs, isOfAgent } }: { readonly row: CheckRow }) {
  const t = useMessages(overviewMessages)
  const language = useLanguage()
  const [isOpen, setIsOpen] = useState(state === 'failed')
  const hasOutput = output.trim() !== ''
  const facts = [
    state === 'failed' && fault !== '' ? fault : null,
    durationMs === null ? null : formatSpan(language, durationMs),
    isOfAgent ? t('checkOfAgent') : null,
  ].filter((fact) => fact !== null)
  const line = (
    <>
      <span className={css[state]} role="img" aria-label={t(`check_${state}`)}>
        {ICONS[state]}
      </span>
      <code className={css.name}>{check}</code>
      <span className={css.end}>{facts.join(' · ')}</span>
    </>
  )
  if (!hasOutput) return <div className={css.line}>{line}</div>
  return (
    <div>
      <button type="button" className={css.line} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {line}
        <ChevronRight className={css.chevron} />
      </button>
      {isOpen && <Output text={output} />}
    </div>
  )
}

function Output({ text }: { readonly text: string }) {
  const t = useMessages(overviewMessages)
  const [isWhole, setIsWhole] = useState(false)
  const { lines, hidden } = tellingLines(text)
  return (
    <div className={css.output}>
      <CodeBlock wraps>
        <AnsiText text={isWhole ? text : lines.join('\n')} />
      </CodeBlock>
      {hidden > 0 && (
        <Button size="small" look="ghost" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('showTelling') : t('showAll', { n: lines.length + hidden })}
        </Button>
      )}
    </div>
  )
}
