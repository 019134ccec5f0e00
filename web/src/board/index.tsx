import { useMemo } from 'react'
import { columnsAsked } from '../routes/columns-asked.ts'
import { ErrorState } from '../ui/states.tsx'
import { BoardContent, useIsEmptyBoard } from './board-content.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import { EmptyBoard } from './empty/index.tsx'
import { SampleNote } from './empty/sample-note.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import { useBoardView } from './filters/use-board-view.ts'
import { BoardHeader } from './header/index.tsx'
import { useBoardColumns } from './pages/use-board-columns.ts'
import { NeedsYouStrip } from './strip/index.tsx'

interface Props {
  /** The board to show. Null means the cards of all boards. */
  readonly board: string | null
}

export function BoardScreen({ board }: Props) {
  const view = useBoardView()
  const { filter, display } = view
  const { sort } = display
  const asked = useMemo(() => columnsAsked(filter, { sort }), [filter, sort])
  const { data, error, refetch, isOld, loadMore } = useBoardColumns(board, asked)
  const isEmpty = useIsEmptyBoard(board)
  return (
    <>
      <BoardHeader board={board} view={view} columns={data} isEmpty={isEmpty} />
      <SampleNote board={board} />
      {!isEmpty && <FilterBar board={board} view={view} />}
      {!isEmpty && <NeedsYouStrip />}
      {isEmpty && board !== null ? (
        <EmptyBoard board={board} />
      ) : data !== undefined ? (
        <BoardContent board={board} view={view} asked={asked} columns={data} isOld={isOld} loadMore={loadMore} />
      ) : error === null ? (
        <BoardSkeleton />
      ) : (
        <ErrorState error={error} onRetry={refetch} />
      )}
    </>
  )
}
