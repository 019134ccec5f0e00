/** The state of the page that the URL stores: the filter, the page number and the current item. */
import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { readFilter } from './filters.ts'
import type { Filter } from './filters.ts'

interface InboxAddress {
  readonly filter: Filter
  readonly after: string | null
  readonly itemId: string | null
  readonly setFilter: (filter: Filter) => void
  readonly setAfter: (after: string | null) => void
  readonly setItem: (id: string | null) => void
}

const change = (query: URLSearchParams, fields: Readonly<Record<string, string | null>>): URLSearchParams => {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next
}

export function useInboxAddress(): InboxAddress {
  const [query, setQuery] = useSearchParams()
  const setFilter = useCallback(
    (filter: Filter) =>
      setQuery((now) => change(now, { kind: filter === 'all' ? null : filter, after: null, item: null })),
    [setQuery],
  )
  const setAfter = useCallback(
    (after: string | null) => setQuery((now) => change(now, { after, item: null })),
    [setQuery],
  )
  // Sets the current item. It may change with every key press, so the browser history gets no entry.
  const setItem = useCallback(
    (id: string | null) => setQuery((now) => change(now, { item: id }), { replace: true }),
    [setQuery],
  )
  return {
    filter: readFilter(query.get('kind')),
    after: query.get('after'),
    itemId: query.get('item'),
    setFilter,
    setAfter,
    setItem,
  }
}
