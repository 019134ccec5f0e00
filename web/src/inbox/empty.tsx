import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useMessages } from '../i18n/use-messages.tsx'
import { activityPath } from '../routes/paths.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import type { Filter } from './filters.ts'
import css from './inbox.module.css'
import { lastLook, noteLook } from './last-look.ts'
import { inboxMessages } from './messages.ts'
import { sinceQuery } from './queries.ts'

interface Props {
  readonly filter: Filter
  readonly onShowAll: () => void
}

export function Empty({ filter, onShowAll }: Props) {
  const t = useMessages(inboxMessages)
  if (filter === 'all') return <NothingNeedsYou />
  return (
    <EmptyState
      icon={<CircleCheck />}
      title={t('emptyKindTitle')}
      action={<Button onClick={onShowAll}>{t('showAll')}</Button>}
    >
      {t(filter === 'hidden' ? 'emptyHiddenText' : 'emptyKindText')}
    </EmptyState>
  )
}

/** Shows the running cards and the cards that finished since the last visit, with one next step. */
function NothingNeedsYou() {
  const t = useMessages(inboxMessages)
  const [since] = useState(lastLook)
  const { data } = useQuery(sinceQuery(since))
  useEffect(() => noteLook, [])
  const finished = data?.boards.reduce((sum, board) => sum + (board.finished ?? 0), 0) ?? 0
  return (
    <EmptyState
      icon={<CircleCheck className={css.done} />}
      title={t('emptyTitle')}
      action={
        <Link href={activityPath({ group: 'results' })} className={css.step}>
          {t('emptyStep')}
        </Link>
      }
    >
      {data === undefined || (data.running === 0 && finished === 0)
        ? t('emptyText')
        : `${t('emptyRunning', { n: data.running })} ${t('emptyFinished', { n: finished })}`}
    </EmptyState>
  )
}
