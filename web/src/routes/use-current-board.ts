import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRoute } from 'wouter'
import { boardsQuery } from '../api/queries.ts'
import type { BoardSummary } from '../api/queries.ts'
import { useValue } from '../app-state/use-value.ts'
import { firstBoard } from './first-board.ts'
import { ROUTES } from './paths.ts'

const KEY = 'muster-board'

/** Chooses the board for a page that has no board in its address. */
export function chooseBoard(
  boards: readonly Pick<BoardSummary, 'slug' | 'isCurrent' | 'archivedAt'>[],
  last: string | null,
): string | null {
  const open = boards.filter(({ archivedAt }) => archivedAt === null)
  const found =
    open.find(({ slug }) => slug === last) ?? open.find(({ isCurrent }) => isCurrent) ?? open[0] ?? boards[0]
  return found?.slug ?? null
}

/**
 * Returns the board of the URL. For a page that shows all boards, this is the board that this tab showed last, then the
 * board that this browser opens first, then the current board of the command line. This is null until the boards are
 * known.
 */
export function useCurrentBoard(): string | null {
  const [, board] = useRoute(ROUTES.board)
  const [, card] = useRoute(ROUTES.card)
  const [, graph] = useRoute(ROUTES.graph)
  const { data: boards = [] } = useQuery(boardsQuery)
  const inAddress = board?.board ?? card?.board ?? graph?.board ?? null
  useEffect(() => {
    if (inAddress !== null) sessionStorage.setItem(KEY, inAddress)
  }, [inAddress])
  const first = useValue(firstBoard)
  return inAddress ?? chooseBoard(boards, sessionStorage.getItem(KEY) ?? first)
}
