import { Plus, Repeat } from 'lucide-react'
import { Link } from 'wouter'
import { statusMessages } from '../cards/status-messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { cardPath, seriesPath } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Pill } from '../ui/pill.tsx'
import { EmptyState } from '../ui/states.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import { seriesMessages } from './messages.ts'
import { formatSlot } from './next-times.ts'
import type { SeriesView } from './queries.ts'
import css from './recurring.module.css'
import { scheduleWords } from './schedule-words.ts'
import { useProblemText } from './use-problem-text.ts'

interface Props {
  readonly all: readonly SeriesView[]
  readonly open: string | null
  readonly onAdd: () => void
}

export function SeriesList({ all, open, onAdd }: Props) {
  const t = useMessages(seriesMessages)
  const hasBoards = new Set(all.map(({ board }) => board)).size > 1
  if (all.length === 0)
    return (
      <EmptyState
        icon={<Repeat />}
        title={t('emptyTitle')}
        action={
          <Button look="primary" icon={<Plus />} writes onClick={onAdd}>
            {t('add')}
          </Button>
        }
      >
        {t('emptyText')}
      </EmptyState>
    )
  return (
    <div className={css.list}>
      <div className={css.rows}>
        <div className={css.heads} aria-hidden="true">
          <span>{t('colSeries')}</span>
          <span>{t('colNext')}</span>
          <span>{t('colLast')}</span>
        </div>
        <ul aria-label={t('list')}>
          {all.map((series) => (
            <SeriesRow key={series.id} series={series} isOpen={series.id === open} hasBoard={hasBoards} />
          ))}
        </ul>
      </div>
    </div>
  )
}

interface RowProps {
  readonly series: SeriesView
  readonly isOpen: boolean
  readonly hasBoard: boolean
}

function SeriesRow({ series, isOpen, hasBoard }: RowProps) {
  const t = useMessages(seriesMessages)
  const language = useLanguage()
  const problemText = useProblemText()
  const { id, title, assignee, schedule, timeZone, board, problems } = series
  const [problem] = problems
  return (
    <li className={css.row}>
      <Link href={seriesPath(id)} className={css.name} aria-current={isOpen ? 'true' : undefined}>
        {assignee === null ? <Repeat /> : <Avatar agent={assignee} isLarge />}
        <span className={css.text}>
          <span className={css.title}>{title}</span>
          <span className={css.note}>
            {scheduleWords(schedule, language)} · {timeZone}
            {hasBoard && ` · ${board}`}
          </span>
          {problem !== undefined && <span className={css.problem}>{problemText(problem, series)}</span>}
        </span>
      </Link>
      <span className={css.next}>
        {series.pausedAt === null && <span className={css.label}>{t('colNext')} </span>}
        <Next series={series} />
      </span>
      <span className={css.last}>
        <span className={css.label}>{t('colLast')} </span>
        <LastCard series={series} />
      </span>
    </li>
  )
}

function Next({ series: { pausedAt, nextAt, timeZone } }: { readonly series: SeriesView }) {
  const t = useMessages(seriesMessages)
  const language = useLanguage()
  if (pausedAt !== null) return <Pill hue="waiting">{t('paused')}</Pill>
  return nextAt === null ? t('unknown') : formatSlot(language, nextAt, timeZone)
}

/** The last card and its status, which shows whether the work of the series succeeds. */
function LastCard({ series: { board, lastCard } }: { readonly series: SeriesView }) {
  const t = useMessages(seriesMessages)
  const tStatus = useMessages(statusMessages)
  if (lastCard === null) return <span className={css.none}>{t('noCard')}</span>
  const { id, status } = lastCard
  return (
    <Link href={cardPath(board, id)} className={css.card}>
      <StatusIcon status={status} />
      {tStatus(status)}
    </Link>
  )
}
