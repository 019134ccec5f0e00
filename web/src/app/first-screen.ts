/** Loads the first screen early if the page was opened with the URL of a board, as most visits are. */
import type { QueryClient } from '@tanstack/react-query'
import { filterOf, readCardQuery } from '../../../src/core/card-query.ts'
import { boardQuery, boardsQuery, summaryQuery } from '../api/queries.ts'
import { readDisplay } from '../routes/board-display.ts'
import { columnsAsked } from '../routes/columns-asked.ts'
import { boardShown } from '../routes/paths.ts'
import { rememberedDisplay } from '../routes/remembered-display.ts'

/**
 * Requests the data of the screen. The components of the screen later share these requests. Resolves when the answers
 * have arrived.
 */
export async function requestScreen(queries: QueryClient, { pathname, searchParams }: URL): Promise<void> {
  const board = boardShown(pathname)
  const requests = [queries.prefetchQuery(boardsQuery), queries.prefetchQuery(summaryQuery)]
  if (board !== undefined) {
    const filter = filterOf(readCardQuery(searchParams), Date.now())
    const display = readDisplay(searchParams, rememberedDisplay.get())
    requests.unshift(queries.prefetchQuery(boardQuery(board, columnsAsked(filter, display))))
  }
  await Promise.all(requests)
}
