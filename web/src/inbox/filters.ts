/** The filters above the list. The URL holds the current filter. */
import { INBOX_KINDS } from '../../../src/core/inbox.ts'
import type { InboxKind } from '../../../src/core/inbox.ts'

export type Filter = 'all' | InboxKind | 'hidden'

const FILTERS: readonly Filter[] = ['all', ...INBOX_KINDS, 'hidden']

export const readFilter = (value: string | null): Filter => FILTERS.find((one) => one === value) ?? 'all'

interface Waiting {
  readonly count: number
  /** Whether the numbers are exact. False if at least one kind has more items than the server counts. */
  readonly isExact: boolean
  readonly byKind: Readonly<Partial<Record<InboxKind, number>>>
}

export interface CountedFilter {
  readonly filter: Filter
  /** The number of items. Null means that the number is not known. */
  readonly count: number | null
  /** Whether more items may exist than were counted. */
  readonly isCut: boolean
}

/** The maximum number of items of a kind that the server counts on a board. */
const COUNTED = 200

/**
 * Returns the filters to show: all items, each kind that has items, the current filter even if it is empty, and the
 * hidden items.
 */
export function filtersToShow(waiting: Waiting | undefined, current: Filter): readonly CountedFilter[] {
  const byKind = waiting?.byKind ?? {}
  const isCut = (count: number): boolean => waiting?.isExact === false && count >= COUNTED
  const kinds = INBOX_KINDS.filter((kind) => (byKind[kind] ?? 0) > 0 || kind === current)
  return [
    { filter: 'all', count: waiting?.count ?? null, isCut: waiting?.isExact === false },
    ...kinds.map((kind) => ({
      filter: kind,
      count: waiting === undefined ? null : (byKind[kind] ?? 0),
      isCut: isCut(byKind[kind] ?? 0),
    })),
    { filter: 'hidden', count: null, isCut: false },
  ]
}
