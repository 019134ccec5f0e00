/** The filters of the activity page, as the URL stores them. */
import { EVENT_GROUPS } from '../../../src/core/event-groups.ts'
import type { EventGroup } from '../../../src/core/event-groups.ts'
import { PERIODS } from './periods.ts'
import type { Period } from './periods.ts'

export interface Filters {
  /** Null means all boards. */
  readonly board: string | null
  /** The group of events. Null means all groups except the details. */
  readonly group: EventGroup | null
  /** The actor: the name of a person, or `agent:` and the name of an agent. */
  readonly by: string | null
  readonly card: string | null
  readonly period: Period | null
  /** The page ends before the event with this id. Null means the newest page. */
  readonly before: number | null
}

const FIELDS = ['board', 'group', 'by', 'card', 'period', 'before'] as const satisfies readonly (keyof Filters)[]

export function readFilters(query: URLSearchParams): Filters {
  const text = (name: (typeof FIELDS)[number]): string | null => {
    const value = query.get(name)
    return value === null || value === '' ? null : value
  }
  const before = Number(text('before') ?? NaN)
  return {
    board: text('board'),
    group: EVENT_GROUPS.find((known) => known === text('group')) ?? null,
    by: text('by'),
    card: text('card'),
    period: PERIODS.find((known) => known === text('period')) ?? null,
    before: Number.isSafeInteger(before) && before > 0 ? before : null,
  }
}

/** Returns the URL with changed filters. A change of the filters leads back to the newest events. */
export function withFilters(query: URLSearchParams, change: Partial<Filters>): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete('before')
  for (const name of FIELDS) {
    const value = change[name]
    if (value === null) next.delete(name)
    else if (value !== undefined) next.set(name, String(value))
  }
  return next
}

/**
 * Returns the filters after a person chose a period. For a period, the page starts with the results, because a period
 * is about finished work.
 */
export const choosePeriod = (period: Period | null, { group }: Filters): Partial<Filters> =>
  period !== null && group === null ? { period, group: 'results' } : { period }

const SHOWN = EVENT_GROUPS.filter((group) => group !== 'details')

/** The groups of events to request. Without a choice, the internal steps of Muster are left out. */
export const groupsOf = ({ group }: Pick<Filters, 'group'>): readonly EventGroup[] => (group === null ? SHOWN : [group])

export const isFiltered = ({ board, group, by, card, period }: Filters): boolean =>
  [board, group, by, card, period].some((value) => value !== null)
