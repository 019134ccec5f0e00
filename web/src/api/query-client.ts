import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ClientError } from '../../../src/client/index.ts'
import { isSignedOut } from './errors.ts'
import { liveState } from './live-state.ts'

const noteSignOut = (error: unknown): void => {
  if (isSignedOut(error)) liveState.set({ is: 'signed_out' })
}

/** Creates the query client. Queries do not become stale with age; the event stream marks them as stale. */
export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: noteSignOut }),
    mutationCache: new MutationCache({ onError: noteSignOut }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
        // When the connection returns, the event stream marks everything as stale, so the query client need not do it.
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && error instanceof ClientError && error.retryable,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
