import type { Options } from '../../config/load.ts'
import type { Board } from '../../core/board.ts'
import type { Store } from '../../storage/store.ts'
import type { BoardView } from './views.ts'
import { noBoard } from '../../core/errors.ts'

interface BoardSource {
  readonly store: Pick<Store, 'board' | 'counts'>
  readonly options: Pick<Options, 'currentBoard'>
}

export async function viewOfBoard({ store, options }: BoardSource, board: Board): Promise<BoardView> {
  const { updatedAt: _, ...shown } = board
  const counts = await store.counts(board.slug)
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return { ...shown, isCurrent: board.slug === options.currentBoard, counts, total }
}

/** Reads the board again, after it was changed. */
export async function boardNow(source: BoardSource, slug: string): Promise<BoardView> {
  const board = await source.store.board(slug)
  if (board === null) throw noBoard(slug)
  return viewOfBoard(source, board)
}
