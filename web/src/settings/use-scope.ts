import { queryOptions, useQuery } from '@tanstack/react-query'
import { includesScope } from '../../../src/core/token.ts'
import type { TokenScope } from '../../../src/core/token.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { settingsMessages } from './messages.ts'

/** Reads the session of this browser. */
export const sessionQuery = queryOptions({ queryKey: keys.session, queryFn: () => client.session() })

/**
 * Returns why this browser may not use functions that need the scope. Null means that it may, or that its scope is not
 * known yet.
 */
export function useRefusedScope(needs: TokenScope): string | null {
  const t = useMessages(settingsMessages)
  const { data } = useQuery(sessionQuery)
  if (data === undefined || includesScope(data.scope, needs)) return null
  return t('needsScope', { has: data.scope, needs })
}
