/** Reads the counts in the sidebar. */
import { useQuery } from '@tanstack/react-query'
import { isSatisfied } from '../../../src/core/status.ts'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import type { Status } from '../../../src/core/vocabulary.ts'
import { boardsQuery, summaryQuery } from '../api/queries.ts'
import type { BoardSummary } from '../api/queries.ts'

type Counts = Readonly<Partial<Record<Status, number>>>

/** Counts the cards that are not finished. */
export const openCount = (counts: Counts): number =>
  STATUSES.filter((status) => !isSatisfied(status)).reduce((sum, status) => sum + (counts[status] ?? 0), 0)

interface SidebarData {
  readonly boards: readonly BoardSummary[]
  readonly inbox: { readonly count: number; readonly isCut: boolean } | null
  readonly openCards: number | null
  readonly running: number | null
  /** The number of cards that may run on this machine. Null means no limit. */
  readonly cap: number | null
  /** Whether a dispatcher starts cards. Null means that this is not known yet. */
  readonly isHealthy: boolean | null
  readonly costToday: number | null
}

export function useSidebarData(board: string | null): SidebarData {
  const { data: boards } = useQuery(boardsQuery)
  const { data: summary } = useQuery(summaryQuery)
  const shown = boards?.find(({ slug }) => slug === board)
  return {
    boards: boards ?? [],
    inbox: summary === undefined ? null : { count: summary.waiting.count, isCut: !summary.waiting.isExact },
    openCards: shown === undefined ? null : openCount(shown.counts),
    running: summary?.running ?? null,
    cap: summary?.machine.cap ?? null,
    costToday: summary?.used.costUsd ?? null,
    isHealthy: summary === undefined ? null : summary.dispatcher.problem === null,
  }
}
