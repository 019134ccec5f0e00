/** Shows the board in groups. Each group has its own columns, and a header that folds the group. */
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type { BoardAsked } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import type { Grouping } from '../../routes/board-display.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Count } from '../../ui/pill.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { BoardProvider, useBoardInfo } from '../board-context.ts'
import { BoardColumns } from '../board-columns.tsx'
import { BoardSkeleton } from '../board-skeleton.tsx'
import { groupsQuery } from '../filters/queries.ts'
import { lanesOf } from '../lanes.ts'
import { useBoardColumns } from '../pages/use-board-columns.ts'
import { defaultsOf, filterOfGroup } from './groups.ts'
import { swimlaneMessages } from './messages.ts'
import css from './swimlanes.module.css'
import { useVisible } from './use-visible.ts'

interface Props {
  readonly board: string | null
  readonly by: Exclude<Grouping, 'none'>
  readonly asked: BoardAsked
}

export function Swimlanes({ board, by, asked }: Props) {
  const t = useMessages(swimlaneMessages)
  const { data, error, refetch } = useQuery(groupsQuery(board, by, asked))
  const [folded, setFolded] = useState<ReadonlySet<string | null>>(new Set())
  if (data === undefined)
    return error === null ? <BoardSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const toggle = (value: string | null): void =>
    setFolded((before) =>
      before.has(value) ? new Set([...before].filter((one) => one !== value)) : new Set([...before, value]),
    )
  return (
    <div className={css.lanes} role="region" aria-label={t('groups')} tabIndex={-1}>
      {data.groups.map(({ value, count }) => (
        <Swimlane
          key={value ?? ''}
          board={board}
          by={by}
          asked={asked}
          value={value}
          count={count}
          isFolded={folded.has(value)}
          onFold={() => toggle(value)}
        />
      ))}
    </div>
  )
}

interface LaneProps extends Props {
  readonly value: string | null
  readonly count: number
  readonly isFolded: boolean
  readonly onFold: () => void
}

function Swimlane({ board, by, asked, value, count, isFolded, onFold }: LaneProps) {
  const t = useMessages(swimlaneMessages)
  const id = useId()
  const name = value ?? t(`without_${by}`)
  return (
    <section className={classNames(isFolded && css.folded)} aria-labelledby={id}>
      <h2 className={css.head}>
        <button id={id} type="button" className={css.fold} aria-expanded={!isFolded} onClick={onFold}>
          {isFolded ? <ChevronRight /> : <ChevronDown />}
          {by === 'assignee' && value !== null && <Avatar agent={value} />}
          <span className={css.name}>{name}</span>
          <Count value={count} />
        </button>
      </h2>
      {!isFolded && <Columns board={board} by={by} asked={asked} value={value} />}
    </section>
  )
}

function Columns({ board, by, asked, value }: Props & Pick<LaneProps, 'value'>) {
  const [place, isVisible] = useVisible()
  return (
    <div ref={place} className={css.columns}>
      {isVisible && <LoadedColumns board={board} by={by} asked={asked} value={value} />}
    </div>
  )
}

function LoadedColumns({ board, by, asked, value }: Props & Pick<LaneProps, 'value'>) {
  const filter = useMemo(() => filterOfGroup(asked, by, value), [asked, by, value])
  const info = useBoardInfo()
  const { data, error, refetch, loadMore } = useBoardColumns(board, filter)
  const here = useMemo(
    () => ({ ...info, defaults: defaultsOf(by, value), loadMore, newDone: 0 }),
    [info, by, value, loadMore],
  )
  if (data === undefined) return error === null ? <BoardSkeleton /> : <ErrorState error={error} onRetry={refetch} />
  return (
    <BoardProvider value={here}>
      <BoardColumns lanes={lanesOf(data.columns)} />
    </BoardProvider>
  )
}
