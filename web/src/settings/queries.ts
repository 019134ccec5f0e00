/** The queries of the settings. */
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

/** Includes archived boards. */
export const allBoardsQuery = queryOptions({
  queryKey: [...keys.boards, 'all'],
  queryFn: ({ signal }) => client.boardsList({ archived: true }, { signal }),
})

/** Reads the tokens of programs and the sessions of browsers. */
export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: ({ signal }) => client.tokensList({}, { signal }),
})

/**
 * Reads the health of Muster. It is read whenever it is shown, because no event reports that a dispatcher has stopped.
 */
export const healthQuery = queryOptions({
  queryKey: keys.health,
  queryFn: ({ signal }) => client.health({}, { signal }),
  staleTime: 0,
})
