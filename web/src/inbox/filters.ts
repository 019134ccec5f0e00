/** The filters above the list. The URL stores the current filter. */
import { INBOX_KINDS } from '../../../src/core/inbox.ts'
import type { InboxKind } from '../../../src/core/inbox.ts'

export type Filter = 'all' | InboxKind | 'hidden'

const FILTERS: readonly Filter[] = ['all', ...INBOX_KINDS, 'hidden']

export const readFilter = (value: string | null): Filter => FILTERS.find((one) => one === value) ?? 'all'

interface Waiting {
  readonly count: number
  /** Whether the numbers are exact. False if a kind has more items than the server counts. */
  readonly isExact: boolean
  readonly byKind: Readonly<Partial<Record<InboxKind, number>>>
}

export interface CountedFilter {
  readonly filter: Filter
  /** The number of items. Null means that the number is not known. */
  readonly count: number | null
  /** Whether there may be more items than were counted. */
  readonly isCut: boolean
}

/** The maximum number of items of a kind that the server counts on a board. */
const COUNTED = 200

/** Returns the visible filters: all items, each kind that has items, the current filter, and the hidden items. */
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
