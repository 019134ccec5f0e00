/** A series: its schedule, its next times, and its last cards. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Pause, Pencil, Play, Repeat, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useSavingCards } from '../api/use-command.ts'
import { statusMessages } from '../cards/status-messages.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Facts } from '../page/facts.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { ROUTES, cardPath } from '../routes/paths.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Markdown } from '../ui/markdown.tsx'
import { Pill, Tag } from '../ui/pill.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import { RelativeTime } from '../ui/time.tsx'
import { seriesMessages } from './messages.ts'
import { formatSlot, nextTimes } from './next-times.ts'
import { oneSeriesQuery } from './queries.ts'
import type { SeriesDetails } from './queries.ts'
import css from './recurring.module.css'
import { scheduleWords } from './schedule-words.ts'
import { draftOfSeries, goalIn } from './series-draft.ts'
import { isGone } from './is-gone.ts'
import { useProblemText } from './use-problem-text.ts'
import { useSeries } from './use-series.ts'

interface Props {
  readonly id: string
  readonly onEdit: (id: string) => void
}

/** The number of times that are listed. */
const TIMES = 5

export function SeriesDetail({ id, onEdit }: Props) {
  const t = useMessages(seriesMessages)
  // While the series is being removed, an event about it must not make the page read it again.
  const isRemoving = useSavingCards().has(id)
  const {
    data: series,
    error,
    refetch,
  } = useQuery({
    ...oneSeriesQuery(id),
    enabled: !isRemoving,
    retry: (n, why) => n < 3 && !isGone(why),
  })
  return (
    <article className={css.article} aria-label={series?.title ?? t('loading')}>
      <Link href={ROUTES.recurring} className={`${css.link ?? ''} ${css.back ?? ''}`}>
        <ArrowLeft /> {t('back')}
      </Link>
      {isGone(error) ? (
        <EmptyState icon={<Repeat />} title={t('notFound')}>
          {t('notFoundMore')}
        </EmptyState>
      ) : series !== undefined ? (
        <Content series={series} onEdit={onEdit} />
      ) : error === null ? (
        <ListSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </article>
  )
}

function Content({ series, onEdit }: { readonly series: SeriesDetails; readonly onEdit: Props['onEdit'] }) {
  const t = useMessages(seriesMessages)
  const { card } = series
  const body = typeof card['body'] === 'string' ? card['body'] : ''
  return (
    <>
      <Head series={series} onEdit={onEdit} />
      <Problems series={series} />
      <Times series={series} />
      <Cards series={series} />
      <SeriesFacts series={series} />
      {body !== '' && (
        <section className={css.section}>
          <h3 className={css.label3}>{t('body')}</h3>
          <Markdown text={body} />
        </section>
      )}
    </>
  )
}

function Head({ series, onEdit }: { readonly series: SeriesDetails; readonly onEdit: Props['onEdit'] }) {
  const t = useMessages(seriesMessages)
  const { id, title, pausedAt } = series
  const { pause, resume, runNow, remove } = useSeries(series)
  const [isRemoving, setIsRemoving] = useState(false)
  return (
    <header className={css.head}>
      <h2 className={css.heading}>{title}</h2>
      {pausedAt !== null && <Pill hue="waiting">{t('paused')}</Pill>}
      <span className={css.buttons}>
        <Button writes isBusy={runNow.isPending} icon={<Play />} tip={t('runNowTip')} onClick={() => runNow.mutate()}>
          {t('runNow')}
        </Button>
        {pausedAt === null ? (
          <Button writes isBusy={pause.isPending} icon={<Pause />} onClick={() => pause.mutate(false)}>
            {t('pause')}
          </Button>
        ) : (
          <Button look="primary" writes isBusy={resume.isPending} icon={<Play />} onClick={() => resume.mutate(false)}>
            {t('resume')}
          </Button>
        )}
        <Button writes icon={<Pencil />} onClick={() => onEdit(id)}>
          {t('edit')}
        </Button>
        <Button look="ghost" isDanger writes icon={<Trash2 />} onClick={() => setIsRemoving(true)}>
          {t('remove')}
        </Button>
      </span>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        title={t('removeTitle', { title })}
        footer={
          <>
            <Button onClick={() => setIsRemoving(false)}>{t('cancel')}</Button>
            <Button look="primary" isDanger writes isBusy={remove.isPending} onClick={() => remove.mutate()}>
              {t('remove')}
            </Button>
          </>
        }
      >
        {t('removeText')}
      </ConfirmDialog>
    </header>
  )
}

function Problems({ series }: { readonly series: SeriesDetails }) {
  const t = useMessages(seriesMessages)
  const problemText = useProblemText()
  const { problems, note } = series
  if (problems.length === 0) return null
  return (
    <section className={css.notice} aria-label={t('problems')}>
      {problems.map((problem) => (
        <p key={problem.code}>{problemText(problem, series)}</p>
      ))}
      {note !== null && note.times > 1 && <p className={css.muted}>{t('inARow', { n: note.times })}</p>}
    </section>
  )
}

function Times({ series }: { readonly series: SeriesDetails }) {
  const t = useMessages(seriesMessages)
  const language = useLanguage()
  const { schedule, timeZone, pausedAt, skipIfRunning } = series
  const words = scheduleWords(schedule, language)
  return (
    <section className={css.section}>
      <h3 className={css.label3}>{t('schedule')}</h3>
      <p>
        <b className={css.strong}>{words}</b> <span className={css.muted}>{timeZone}</span>
        {words !== schedule && <code className={css.code}>{schedule}</code>}
      </p>
      {skipIfRunning && <p className={css.muted}>{t('skips')}</p>}
      {pausedAt !== null ? (
        <p className={css.muted}>
          {t.rich('pausedSince', { time: <RelativeTime at={pausedAt} as="relative" />, name: series.pausedBy ?? '' })}
        </p>
      ) : (
        <ol className={css.times} aria-label={t('nextTimes')}>
          {nextTimes(series, TIMES).map((at) => (
            <li key={at}>
              <time dateTime={new Date(at).toISOString()}>{formatSlot(language, at, timeZone)}</time>
              <span className={css.muted}>
                <RelativeTime at={at} as="relative" />
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Cards({ series: { cards, board, created, timeZone } }: { readonly series: SeriesDetails }) {
  const t = useMessages(seriesMessages)
  const tStatus = useMessages(statusMessages)
  const language = useLanguage()
  return (
    <section className={css.section}>
      <h3 className={css.label3}>{t('cards')}</h3>
      {cards.length === 0 ? (
        <p className={css.muted}>{t('noCards')}</p>
      ) : (
        <ul className={css.cards}>
          {cards.map(({ id, title, status, seriesSlot }) => (
            <li key={id} className={css.cardRow}>
              <StatusIcon status={status} />
              <Link href={cardPath(board, id)} className={css.cardTitle}>
                {title}
              </Link>
              <span className={css.cardFacts}>
                {tStatus(status)}
                {seriesSlot !== null && ` · ${formatSlot(language, seriesSlot, timeZone)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {created > cards.length && <p className={css.muted}>{t('createdInAll', { n: created })}</p>}
    </section>
  )
}

function SeriesFacts({ series }: { readonly series: SeriesDetails }) {
  const t = useMessages(seriesMessages)
  const { board, assignee, card, createdBy, createdAt } = series
  const { labels, checks, priority, workspace, folder } = draftOfSeries(series)
  const goal = goalIn(card)
  return (
    <Facts
      facts={[
        { name: t('agent'), value: assignee ?? t('noAgent') },
        { name: t('board'), value: board },
        { name: t('goal'), value: goal === null ? null : t(`goalOf_${goal.judge}`, { n: goal.maxTurns }) },
        { name: t('checks'), value: checks === '' ? null : <span className={css.lines}>{checks}</span>, isCode: true },
        { name: t('workspace'), value: `${t(`workspace_${workspace}`)}${folder === '' ? '' : `: ${folder}`}` },
        {
          name: t('labels'),
          value:
            labels.length === 0 ? null : (
              <span className={css.tags}>
                {labels.map((label) => (
                  <Tag key={label}>{label}</Tag>
                ))}
              </span>
            ),
        },
        { name: t('priority'), value: priority === '' ? null : priority },
        {
          name: t('added'),
          value: t.rich('addedBy', { name: createdBy, time: <RelativeTime at={createdAt} as="relative" /> }),
        },
      ]}
    />
  )
}
