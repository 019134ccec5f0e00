/** Shows the part of the board below its header: columns, groups of columns, or the reason why the board is empty. */
import { useQuery } from '@tanstack/react-query'
import { ListFilter } from 'lucide-react'
import { useMemo } from 'react'
import { countFilters } from '../../../src/core/card-query.ts'
import { boardsQuery } from '../api/queries.ts'
import type { BoardAsked, Columns } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/states.tsx'
import { BoardActions } from './board-actions.tsx'
import { BoardProvider } from './board-context.ts'
import type { BoardInfo } from './board-context.ts'
import { BoardColumns } from './board-columns.tsx'
import css from './board-content.module.css'
import { filterMessages } from './filters/messages.ts'
import type { BoardView } from './filters/use-board-view.ts'
import { useFinished } from './header/use-finished.ts'
import { lanesOf } from './lanes.ts'
import { Swimlanes } from './swimlanes/index.tsx'

interface Props {
  readonly board: string | null
  readonly view: BoardView
  readonly asked: BoardAsked
  readonly columns: Columns
  readonly isOld: boolean
  readonly loadMore: BoardInfo['loadMore']
}

export function BoardContent({ board, view, asked, columns, isOld, loadMore }: Props) {
  const { group, isCompact, showsEmpty } = view.display
  const hasChosen = view.query.statuses.length > 0
  const isFiltered = countFilters(view.query) > 0
  const finished = useFinished(board)
  // The count is about all cards of the board, so it does not belong to a filtered column.
  const newDone = isFiltered ? 0 : (finished?.n ?? 0)
  const info = useMemo(
    () => ({ board, defaults: {}, loadMore, showsEmpty, hasChosen, newDone }),
    [board, loadMore, showsEmpty, hasChosen, newDone],
  )
  const lanes = useMemo(() => lanesOf(columns.columns), [columns.columns])
  if (isFiltered && !isOld && columns.columns.every(({ count }) => count === 0)) return <NoMatch onClear={view.clear} />
  return (
    <div className={classNames(css.content, isCompact && css.compact)} aria-busy={isOld || undefined}>
      <BoardProvider value={info}>
        {group === 'none' ? (
          <BoardColumns lanes={lanes} />
        ) : (
          <Swimlanes key={group} board={board} by={group} asked={asked} />
        )}
      </BoardProvider>
      <BoardActions isStartOrder={view.display.sort === 'start'} />
    </div>
  )
}

function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const t = useMessages(filterMessages)
  return (
    <EmptyState
      icon={<ListFilter />}
      title={t('noneTitle')}
      action={<Button onClick={onClear}>{t('clearFilters')}</Button>}
    >
      {t('noneText')}
    </EmptyState>
  )
}

/**
 * Whether a board has no cards at all. The columns cannot show this, because they leave out cards that finished long
 * ago.
 */
export function useIsEmptyBoard(board: string | null): boolean {
  const { data } = useQuery(boardsQuery)
  const counts = data?.find(({ slug }) => slug === board)?.counts
  return counts !== undefined && Object.values(counts).every((count) => count === 0)
}
