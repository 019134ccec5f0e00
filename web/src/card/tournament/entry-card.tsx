import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatSpan } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { cardPath } from '../../routes/paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Pill } from '../../ui/pill.tsx'
import { StatusIcon } from '../../ui/status-icon.tsx'
import type { Hue } from '../../ui/status-hue.ts'
import { Money } from '../../ui/time.tsx'
import { DiffCount } from '../overview/diff-count.tsx'
import { tournamentMessages } from '../../cards/tournament-messages.ts'
import type { EntryView } from '../../cards/tournament-query.ts'
import css from './tournament.module.css'

const HUES: Readonly<Record<EntryView['state'], Hue>> = {
  playing: 'running',
  passed: 'done',
  out: 'failed',
  won: 'done',
  lost: 'waiting',
}

interface Props {
  readonly board: string
  readonly entry: EntryView
  readonly isBusy: boolean
  readonly onPick: () => void
}

export function EntryCard({ board, entry, isBusy, onPick }: Props) {
  const t = useMessages(tournamentMessages)
  const language = useLanguage()
  const { agent, state, status, checks, changes, costUsd, durationMs, attempts, reason, summary } = entry
  const name = agent ?? t('unassigned')
  return (
    <li className={classNames(css.entry, state === 'won' && css.won)} aria-label={name}>
      <div className={css.head}>
        {agent !== null && <Avatar agent={agent} />}
        <span className={css.agent}>{name}</span>
        <Pill hue={HUES[state]} icon={<StatusIcon status={status} />}>
          {t(state)}
        </Pill>
      </div>
      <dl className={css.facts}>
        <Fact name={t('checks')}>
          {checks === null ? t('none') : checks.passed ? t('checksPassed', { n: checks.ran }) : t('checksFailed')}
        </Fact>
        <Fact name={t('changes')}>{changes === null ? t('none') : <DiffCount {...changes} />}</Fact>
        <Fact name={t('cost')}>{costUsd === null ? t('none') : <Money usd={costUsd} />}</Fact>
        <Fact name={t('time')}>{durationMs === 0 ? t('none') : formatSpan(language, durationMs)}</Fact>
        <Fact name={t('attempts')}>{attempts}</Fact>
      </dl>
      {(reason ?? summary) !== null && <p className={css.summary}>{reason ?? summary}</p>}
      <div className={css.actions}>
        <Link className={css.link} href={`${cardPath(board, entry.id)}${changes === null ? '' : '?tab=changes'}`}>
          {t(changes === null ? 'openEntry' : 'viewChanges')}
        </Link>
        {entry.canWin && (
          <Button
            size="small"
            look="primary"
            writes
            isBusy={isBusy}
            aria-label={t('pickEntry', { agent: name })}
            onClick={onPick}
          >
            {t('pick')}
          </Button>
        )}
      </div>
    </li>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={css.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
