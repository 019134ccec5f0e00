/** Shows how many cards are running, are waiting, and have finished since the last look. */
import { Link, useLocation } from 'wouter'
import type { Columns } from '../../api/queries.ts'
import { useNow } from '../../app-state/use-now.ts'
import { formatMoment } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import css from './header.module.css'
import { headerMessages } from './messages.ts'
import { useFinished } from './use-finished.ts'

interface Props {
  readonly board: string | null
  readonly columns: Columns | undefined
}

const WAITING: readonly string[] = ['todo', 'scheduled']

export function Summary({ board, columns }: Props) {
  const t = useMessages(headerMessages)
  const count = (statuses: readonly string[]): number =>
    (columns?.columns ?? []).filter(({ status }) => statuses.includes(status)).reduce((sum, one) => sum + one.count, 0)
  if (columns === undefined) return null
  return (
    <>
      {t('running', { n: count(['running']) })} · {t('waiting', { n: count(WAITING) })}
      <FinishedLink board={board} />
    </>
  )
}

function FinishedLink({ board }: { readonly board: string | null }) {
  const t = useMessages(headerMessages)
  const language = useLanguage()
  const now = useNow()
  const [path] = useLocation()
  const finished = useFinished(board)
  if (finished === null) return null
  const { since, n, isCut } = finished
  return (
    <>
      {' · '}
      <Link
        href={`${path}?status=done&finished=${since}`}
        className={css.finished}
        title={t('sinceTip', { time: formatMoment(language, since, now) })}
      >
        {isCut ? t('finishedMany', { n }) : t('finished', { n })}
      </Link>
    </>
  )
}
