import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

export type QueryFields = Readonly<Record<string, string | null>>

interface How {
  /** Whether the change adds an entry to the browser history, so that Back restores the previous URL. */
  readonly adds?: boolean
}

/**
 * Returns a function that changes several query fields at once: `set({ tab: 'attempts', run: '2' })`. Null removes a
 * field.
 */
export function useQueryFields(): (fields: QueryFields, how?: How) => void {
  const [, setQuery] = useSearchParams()
  return useCallback(
    (fields: QueryFields, { adds = true }: How = {}) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(fields))
            if (value === null) next.delete(name)
            else next.set(name, value)
          return next
        },
        { replace: !adds },
      ),
    [setQuery],
  )
}
