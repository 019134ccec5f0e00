import { queryOptions } from '@tanstack/react-query'
import type { Outputs } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { serverNow } from '../api/server-clock.ts'
import { groupsOf } from './filters.ts'
import type { Filters } from './filters.ts'
import { rangeOf } from './periods.ts'
import type { Range } from './periods.ts'

export type ActivityPage = Outputs['activity']
export type ActivityEvent = ActivityPage['events'][number]

const PAGE = 50
/**
 * After this number of empty pages, the person decides whether to search further. If few events match a filter, many
 * pages are empty.
 */
const EMPTY_PAGES = 10

async function readPage({ before, period, ...filters }: Filters, signal: AbortSignal): Promise<ActivityPage> {
  const range: Partial<Range> = period === null ? {} : rangeOf(period, serverNow())
  const asked = {
    board: filters.board,
    groups: groupsOf(filters),
    limit: PAGE,
    from: range.from ?? null,
    until: range.until ?? null,
    ...(filters.by !== null && { by: filters.by }),
    ...(filters.card !== null && { task: filters.card }),
  }
  let page = await client.activity({ ...asked, before }, { signal })
  for (let tries = 1; page.events.length === 0 && page.next !== null && tries < EMPTY_PAGES; tries += 1)
    page = await client.activity({ ...asked, before: page.next }, { signal })
  return page
}

/** Reads a page of events. The newest page changes with each event; an earlier page never changes. */
export const activityQuery = (filters: Filters) =>
  queryOptions({
    queryKey: filters.before === null ? [...keys.events, filters] : ['earlier-events', filters],
    queryFn: ({ signal }) => readPage(filters, signal),
  })

/** Reads what finished in a period, and what it cost. */
export const totalsQuery = (board: string | null, { from, until }: Range) =>
  queryOptions({
    queryKey: [...keys.totals, board, from, until],
    async queryFn({ signal }) {
      const asked = { from: [from, ...(until === null ? [] : [until])], board }
      const { periods, isExact } = await client.totals(asked, { signal })
      return { period: periods[0], isExact }
    },
  })
