import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

interface How {
  /**
   * Whether a change adds an entry to the browser history, so that Back restores the previous value. A field that
   * changes with each key press adds none.
   */
  readonly adds?: boolean
}

/**
 * Reads and sets a field in the query of the URL: `const [tab, setTab] = useQueryField('tab')`. Null removes the field.
 */
export function useQueryField(name: string): readonly [string | null, (value: string | null, how?: How) => void] {
  const [query, setQuery] = useSearchParams()
  const set = useCallback(
    (value: string | null, { adds = true }: How = {}) => {
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
          return next
        },
        { replace: !adds },
      )
    },
    [name, setQuery],
  )
  return [query.get(name), set]
}
