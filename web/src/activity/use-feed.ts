import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Filters } from './filters.ts'
import { newerThan } from './newer-than.ts'
import { activityQuery } from './queries.ts'
import type { ActivityPage } from './queries.ts'

/** A page that stays on the screen, and the filters for which it was read. */
interface Kept {
  readonly of: string
  readonly page: ActivityPage
}

/**
 * The events to show. While a person reads further down or has the focus in the list, the list does not change.
 * Meanwhile `fresh` counts the new events.
 */
export function useFeed(filters: Filters) {
  const of = JSON.stringify(filters)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...activityQuery(filters),
    // The previous events stay on the screen until the events for the new filters arrive.
    placeholderData: keepPreviousData,
  })
  const [last, setLast] = useState<Kept | null>(null)
  const kept = last?.of === of ? last.page : null
  return {
    /** A value that changes with the filters. */
    of,
    page: kept ?? data,
    error,
    refetch,
    isOld: isPlaceholderData,
    fresh: kept === null || data === undefined ? 0 : newerThan(data.events, kept.events),
    keep: () =>
      setLast((before) => (before?.of === of || data === undefined || isPlaceholderData ? before : { of, page: data })),
    follow: () => setLast(null),
  }
}
