import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useRoute } from 'wouter'
import { boardsQuery } from '../api/queries.ts'
import type { BoardSummary } from '../api/queries.ts'
import { useValue } from '../app-state/use-value.ts'
import { firstBoard } from './first-board.ts'
import { ROUTES } from './paths.ts'

const KEY = 'muster-board'

/** Chooses the board for a page whose URL names no board. */
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
 * Returns the board that the URL names. For a page of all boards, returns the last board of this tab, then the first
 * board of this browser, then the default board of the command line. Null until the boards are known.
 */
export function useCurrentBoard(): string | null {
  const [, board] = useRoute(ROUTES.board)
  const [, card] = useRoute(ROUTES.card)
  const [, graph] = useRoute(ROUTES.graph)
  const [, plan] = useRoute(ROUTES.plan)
  const { data: boards = [] } = useQuery(boardsQuery)
  const inAddress = board?.board ?? card?.board ?? graph?.board ?? plan?.board ?? null
  useEffect(() => {
    if (inAddress !== null) sessionStorage.setItem(KEY, inAddress)
  }, [inAddress])
  const first = useValue(firstBoard)
  return inAddress ?? chooseBoard(boards, sessionStorage.getItem(KEY) ?? first)
}
