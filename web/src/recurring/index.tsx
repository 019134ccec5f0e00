/** The page of recurring work: the series of all boards, their next times, and their last cards. */
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useMessages } from '../i18n/use-messages.tsx'
import { ListSkeleton } from '../page/list-skeleton.tsx'
import { HeaderButton, PageHeader } from '../page/page-header.tsx'
import { useCurrentBoard } from '../routes/use-current-board.ts'
import { useQueryField } from '../routes/use-query-field.ts'
import { classNames } from '../ui/class-names.ts'
import { ErrorState } from '../ui/states.tsx'
import { seriesMessages } from './messages.ts'
import { seriesQuery } from './queries.ts'
import type { SeriesView } from './queries.ts'
import css from './recurring.module.css'
import { SeriesDetail } from './series-detail.tsx'
import { SeriesForm } from './series-form.tsx'
import { SeriesList } from './series-list.tsx'
import { useSeriesKeys } from './use-series-keys.ts'

interface Props {
  /** The series whose details are open. */
  readonly series: string | null
}

export function RecurringScreen({ series }: Props) {
  const t = useMessages(seriesMessages)
  const { data, error, refetch } = useQuery(seriesQuery)
  const board = useCurrentBoard()
  const [form, setForm] = useQueryField('edit')
  const edited = form === null || form === 'new' ? null : (data?.find(({ id }) => id === form) ?? null)
  const close = (): void => setForm(null, { adds: false })
  return (
    <>
      <PageHeader
        title={t('title')}
        summary={data !== undefined && <Summary all={data} />}
        actions={<HeaderButton label={t('add')} icon={<Plus />} writes onClick={() => setForm('new')} />}
      />
      {data !== undefined ? (
        <Panes all={data} open={series} onAdd={() => setForm('new')} onEdit={(id) => setForm(id)} />
      ) : error === null ? (
        <ListSkeleton label={t('loading')} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
      {form === 'new' && board !== null && <SeriesForm key="new" board={board} series={null} onClose={close} />}
      {edited !== null && <SeriesForm key={edited.id} board={edited.board} series={edited} onClose={close} />}
    </>
  )
}

function Summary({ all }: { readonly all: readonly SeriesView[] }) {
  const t = useMessages(seriesMessages)
  const paused = all.filter(({ pausedAt }) => pausedAt !== null).length
  return `${t('count', { n: all.length })}${paused === 0 ? '' : ` · ${t('pausedCount', { n: paused })}`}`
}

interface PanesProps {
  readonly all: readonly SeriesView[]
  readonly open: string | null
  readonly onAdd: () => void
  readonly onEdit: (id: string) => void
}

/** Shows the list, and beside it the open series. If the window has no room for both, only the open series is shown. */
function Panes({ all, open, onAdd, onEdit }: PanesProps) {
  useSeriesKeys({ ids: all.map(({ id }) => id), open, onAdd, onEdit })
  return (
    <div className={classNames(css.page, open !== null && css.both)}>
      <div className={css.pane}>
        <SeriesList all={all} open={open} onAdd={onAdd} />
      </div>
      {open !== null && (
        <div className={classNames(css.pane, css.detail)}>
          <SeriesDetail key={open} id={open} onEdit={onEdit} />
        </div>
      )}
    </div>
  )
}
