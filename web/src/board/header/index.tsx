/** Shows the top of the board: counts, filters, display options, search and pause button. */
import type { Columns } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { PageHeader } from '../../page/page-header.tsx'
import { DisplayMenu } from '../filters/display-menu.tsx'
import { FilterMenu } from '../filters/filter-menu.tsx'
import type { BoardView } from '../filters/use-board-view.ts'
import { boardMessages } from '../messages.ts'
import { PauseBoard, PausedPill } from './pause-board.tsx'
import { Search } from './search.tsx'
import { Summary } from './summary.tsx'

interface Props {
  /** Null means all boards. */
  readonly board: string | null
  readonly view: BoardView
  readonly columns: Columns | undefined
  /** Whether the board has no cards. The filters of an empty board are hidden. */
  readonly isEmpty: boolean
}

export function BoardHeader({ board, view, columns, isEmpty }: Props) {
  const t = useMessages(boardMessages)
  return (
    <PageHeader
      title={board === null ? t('allBoards') : t('title')}
      summary={
        <>
          {board !== null && <PausedPill board={board} />}
          {!isEmpty && <Summary key={board} board={board} columns={columns} />}
        </>
      }
      actions={
        !isEmpty && (
          <>
            <FilterMenu board={board} view={view} />
            <DisplayMenu display={view.display} onChange={view.setDisplay} />
          </>
        )
      }
      search={
        isEmpty ? undefined : (
          <Search
            isAll={board === null}
            text={view.query.text ?? ''}
            onChange={(text) => view.setQuery({ text }, { adds: false })}
          />
        )
      }
      after={board !== null && !isEmpty && <PauseBoard board={board} />}
    />
  )
}
