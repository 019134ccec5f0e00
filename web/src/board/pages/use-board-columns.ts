/**
 * Reads the columns of the board. The first cards of each column are read at once, and more cards when a person scrolls
 * to the end of the column.
 */
import { hashKey, keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { STATUSES } from '../../../../src/core/vocabulary.ts'
import type { Status } from '../../../../src/core/vocabulary.ts'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import { boardQuery } from '../../api/queries.ts'
import type { BoardAsked, BoardCard, Columns } from '../../api/queries.ts'
import { useEvents } from '../../api/live-events.ts'
import { unfinishedColumn } from '../lanes.ts'
import type { LaneName } from '../lanes.ts'
import { withLaterCards } from './more-pages.ts'

/** The number of cards that are loaded at the end of a column. */
const PAGE = 200
/** The maximum number of cards that the server returns at once. */
const MOST = 500
/** The minimum time between two refreshes of the later pages, because these pages can be large. */
const REFRESH_MS = 1_000

interface Asked {
  readonly board: string | null
  readonly asked: BoardAsked
}

const laterKey = ({ board, asked }: Asked, status: Status) => [...keys.morePages(board), status, asked]

function readPage({ board, asked }: Asked, status: Status, after: string, limit: number) {
  const { statuses: _statuses, ...filter } = asked
  return client.column({ ...filter, status, after, limit, all: board === null }, { ...(board !== null && { board }) })
}

/** Reads `count` cards of a column after the card `after`. */
async function readAfter(from: Asked, status: Status, after: string, count: number): Promise<readonly BoardCard[]> {
  const cards: BoardCard[] = []
  let last: string | null = after
  while (last !== null && cards.length < count) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(
      from,
      status,
      last,
      Math.min(MOST, count - cards.length),
    )
    cards.push(...page.cards)
    last = page.next
  }
  return cards
}

/** Joins the cards of all results. The result stays the same object while the cards stay the same. */
const cardsOf = (results: readonly { readonly data: readonly BoardCard[] | undefined }[]) =>
  results.map(({ data }) => data)

const lastOfFirstPage = (queries: QueryClient, { board, asked }: Asked, status: Status): string | undefined =>
  queries
    .getQueryData<Columns>(boardQuery(board, asked).queryKey)
    ?.columns.find((column) => column.status === status)
    ?.cards.at(-1)?.id

export interface BoardColumnsState {
  readonly data: Columns | undefined
  readonly error: Error | null
  readonly refetch: () => void
  /**
   * Whether these columns belong to the previous filters, because the answer for the current filters has not arrived
   * yet.
   */
  readonly isOld: boolean
  readonly loadMore: (lane: LaneName) => void
}

export function useBoardColumns(board: string | null, asked: BoardAsked): BoardColumnsState {
  const queries = useQueryClient()
  const first = useQuery({ ...boardQuery(board, asked), placeholderData: keepPreviousData })
  const from: Asked = { board, asked }
  const later = useQueries({
    queries: STATUSES.map((status) => ({
      queryKey: laterKey(from, status),
      queryFn: () => {
        const known = queries.getQueryData<readonly BoardCard[]>(laterKey(from, status)) ?? []
        const after = lastOfFirstPage(queries, from, status)
        return after === undefined ? [] : readAfter(from, status, after, known.length)
      },
      enabled: ({ state }: { readonly state: { readonly data: unknown } }) => state.data !== undefined,
    })),
    combine: cardsOf,
  })
  useLaterRefresh(board)
  const data = useMemo(() => {
    const cards = new Map(STATUSES.map((status, at) => [status, later[at] ?? []]))
    return first.data === undefined ? undefined : withLaterCards(first.data, cards)
  }, [first.data, later])
  const loadMore = useLoadMore(from, data)
  return {
    data,
    error: first.error,
    refetch: () => void first.refetch(),
    isOld: first.isPlaceholderData,
    loadMore,
  }
}

/** Returns a function that loads the next page of a lane. While a page loads, further calls do nothing. */
function useLoadMore(from: Asked, data: Columns | undefined): (lane: LaneName) => void {
  const queries = useQueryClient()
  const loading = useRef(new Set<string>())
  const latest = useRef({ from, data })
  useEffect(() => {
    latest.current = { from, data }
  })
  return useCallback(
    (lane) => {
      const { from: asked, data: shown } = latest.current
      const column = shown === undefined ? undefined : unfinishedColumn(lane, shown.columns)
      const after = column?.cards.at(-1)?.id
      if (column === undefined || after === undefined) return
      const key = laterKey(asked, column.status)
      const hash = hashKey(key)
      if (loading.current.has(hash)) return
      loading.current.add(hash)
      readAfter(asked, column.status, after, PAGE)
        .then((cards) => queries.setQueryData<readonly BoardCard[]>(key, (before = []) => [...before, ...cards]))
        // The error is ignored, because the next scroll loads the page again.
        .catch(() => {})
        .finally(() => loading.current.delete(hash))
    },
    [queries],
  )
}

/** Reads the later pages again after events, but not more often than every `REFRESH_MS`. */
function useLaterRefresh(board: string | null): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEvents((event) => {
    if (timer.current !== undefined || (board !== null && event.board !== board)) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey: keys.morePages(board) })
    }, REFRESH_MS)
  })
}
