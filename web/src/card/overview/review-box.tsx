/** Shows what a person needs to decide about finished work: its checks, its changes, and which cards start next. */
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldX } from 'lucide-react'
import { followsParents } from '../../../../src/core/status.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import type { TabProps } from '../card-details.ts'
import { checkReport } from './check-rows.ts'
import { DiffCount } from './diff-count.tsx'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { relativesQuery } from './queries.ts'

export function ReviewBox({ card }: TabProps) {
  const t = useMessages(overviewMessages)
  const { data } = useQuery(relativesQuery(card))
  const { rows, passed, at } = checkReport(card, null)
  const changes = card.runs.findLast((run) => run.changes !== null)?.changes ?? null
  const waiting = (data?.children ?? []).filter(({ status }) => followsParents(status))
  const [first] = waiting
  const hasPassed = rows.length > 0 && passed === rows.length
  return (
    <>
      <p className={css.consequence}>
        {first === undefined
          ? t('approveDone')
          : t.rich(waiting.length === 1 ? 'approveStarts' : 'approveStartsMore', {
              card: <b>{first.title}</b>,
              more: waiting.length - 1,
            })}
      </p>
      {(rows.length > 0 || changes !== null) && (
        <p className={css.proof}>
          {rows.length > 0 && (
            <span className={hasPassed ? css.good : css.bad}>
              {hasPassed ? <ShieldCheck /> : <ShieldX />}
              {at === null ? t('checksNotRun', { n: rows.length }) : t('checksPassed', { passed, n: rows.length })}
            </span>
          )}
          {changes !== null && <DiffCount {...changes} />}
        </p>
      )}
    </>
  )
}
