/** Shows how many cards are running, are waiting, and have finished since the last look. */
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { finishedQuery } from '../../api/queries.ts'
import type { Columns } from '../../api/queries.ts'
import { useNow } from '../../app-state/use-now.ts'
import { formatMoment } from '../../i18n/format.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import css from './header.module.css'
import { headerMessages } from './messages.ts'
import { useLastLook } from './use-last-look.ts'

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
      <Finished board={board} />
    </>
  )
}

/** The maximum number of finished cards that the server counts. */
const COUNTED = 200

function Finished({ board }: { readonly board: string | null }) {
  const t = useMessages(headerMessages)
  const language = useLanguage()
  const now = useNow()
  const [path] = useLocation()
  const since = useLastLook(board)
  const { data } = useQuery({ ...finishedQuery(since ?? 0), enabled: since !== null })
  if (since === null || data === undefined) return null
  const boards = data.boards.filter(({ slug }) => board === null || slug === board)
  const finished = boards.reduce((sum, one) => sum + (one.finished ?? 0), 0)
  if (finished === 0) return null
  const isCut = boards.some((one) => one.finished === COUNTED)
  return (
    <>
      {' · '}
      <Link
        href={`${path}?status=done&finished=${since}`}
        className={css.finished}
        title={t('sinceTip', { time: formatMoment(language, since, now) })}
      >
        {isCut ? t('finishedMany', { n: finished }) : t('finished', { n: finished })}
      </Link>
    </>
  )
}
