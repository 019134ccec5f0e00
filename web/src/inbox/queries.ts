/** The queries of the page Needs you. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ClientError } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import type { InboxItem } from '../api/queries.ts'
import type { Filter } from './filters.ts'

/** The number of cards on a page. The first page also lists the accounts. */
const PAGE = 100

export interface PageAddress {
  readonly filter: Filter
  /** The page starts after this position. Null means the first page. */
  readonly after: string | null
}

/** The common prefix of the query keys of all pages. */
export const PAGES = [...keys.inbox, 'page'] as const

export const pageQuery = ({ filter, after }: PageAddress) =>
  queryOptions({
    queryKey: [...PAGES, filter, after],
    queryFn: ({ signal }) =>
      client.inbox(
        {
          limit: PAGE,
          after,
          ...(filter === 'hidden' && { onlyHidden: true }),
          ...(filter !== 'hidden' && filter !== 'all' && { kinds: [filter] }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

/** Reads one item with the last actions of its agent. Null means that the item no longer needs a person. */
export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.inbox, 'item', id],
    async queryFn({ signal }): Promise<InboxItem | null> {
      try {
        const { items } = await client.inbox({ item: id, steps: true, hidden: true, limit: 1 }, { signal })
        return items.find((item) => item.id === id) ?? null
      } catch (error) {
        if (error instanceof ClientError && error.code === 'task_not_found') return null
        throw error
      }
    },
  })

/** Reads what has happened since a moment, for the empty page. */
export const sinceQuery = (since: number) =>
  queryOptions({
    queryKey: [...keys.summary, since],
    queryFn: ({ signal }) => client.summary({ since }, { signal }),
  })
