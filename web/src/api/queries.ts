/**
 * The queries that several screens share. Other queries are in the folder of their screen. All keys come from keys.ts.
 */
import { queryOptions } from '@tanstack/react-query'
import type { AgentView, BoardView, InboxItem as Item, Outputs } from '../../../src/client/index.ts'
import { keys } from './keys.ts'
import { client } from './client.ts'
import { noteServerTime } from './server-clock.ts'

export type BoardSummary = BoardView
export type Columns = Outputs['board']
export type Column = Columns['columns'][number]
export type BoardCard = Column['cards'][number]
export type Inbox = Outputs['inbox']
export type InboxItem = Item
export type Agent = AgentView
export type RosterAgent = Outputs['roster']['agents'][number]
export type SavedView = Outputs['viewsList'][number]
export type ListedCard = Outputs['list'][number]

/** The number of cards that a column loads at first, and again whenever a person reaches its end. */
export const COLUMN_PAGE = 50

export const boardsQuery = queryOptions({
  queryKey: keys.boards,
  queryFn: ({ signal }) => client.boardsList({}, { signal }),
})

/** The filters and the sort order of the columns. Fields with the default value are left out. */
export type BoardAsked = Omit<NonNullable<Parameters<typeof client.board>[0]>, 'limit' | 'all'>

/** Reads the columns of a board. Null means the cards of all boards. */
export const boardQuery = (board: string | null, asked: BoardAsked = {}) =>
  queryOptions({
    queryKey: Object.keys(asked).length === 0 ? keys.board(board) : [...keys.board(board), 'columns', asked],
    async queryFn({ signal }) {
      const columns = await client.board(
        { ...asked, limit: COLUMN_PAGE, all: board === null },
        { ...(board !== null && { board }), signal },
      )
      noteServerTime(columns.now)
      return columns
    },
  })

/** Reads the summary of a board. It counts the cards that finished after the given time. */
export const finishedQuery = (since: number) =>
  queryOptions({
    queryKey: [...keys.summary, since],
    queryFn: ({ signal }) => client.summary({ since }, { signal }),
  })

/** Reads the saved views of all people. */
export const viewsQuery = queryOptions({
  queryKey: keys.views,
  queryFn: ({ signal }) => client.viewsList({}, { signal }),
})

export const statsQuery = (board: string) =>
  queryOptions({
    queryKey: keys.stats(board),
    queryFn: ({ signal }) => client.stats({}, { board, signal }),
  })

/** The first page of the inbox has this size, which is enough to count the items. */
export const INBOX_PAGE = 200
export const inboxQuery = queryOptions({
  queryKey: keys.inbox,
  queryFn: ({ signal }) => client.inbox({ limit: INBOX_PAGE }, { signal }),
})

/**
 * Reads the counts that every screen shows: the inbox items of each kind and the running cards. Also reads the name of
 * the signed-in person.
 */
export const summaryQuery = queryOptions({
  queryKey: keys.summary,
  async queryFn({ signal }) {
    const summary = await client.summary({}, { signal })
    noteServerTime(summary.now)
    return summary
  },
})

export const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: ({ signal }) => client.agentsList({}, { signal }),
})

/** Reads the agents with their runs and pauses, and with the totals of their last week. */
export const rosterQuery = queryOptions({
  queryKey: [...keys.agents, 'roster'],
  async queryFn({ signal }) {
    const roster = await client.roster({}, { signal })
    noteServerTime(roster.now)
    return roster
  },
})

export const pausesQuery = queryOptions({
  queryKey: keys.pauses,
  queryFn: ({ signal }) => client.listPauses({}, { signal }),
})

/** The maximum number of cards that a search shows. */
const FOUND = 20

/**
 * Finds the cards of a board that contain a text. For an empty text, finds the cards that changed last. The server runs
 * the search.
 */
export const findCardsQuery = (board: string, text: string) =>
  queryOptions({
    queryKey: [...keys.board(board), 'find', text],
    queryFn: ({ signal }) =>
      client.list({ sort: 'updated-desc', limit: FOUND, ...(text !== '' && { text }) }, { board, signal }),
  })

export const cardQuery = (id: string) =>
  queryOptions({
    queryKey: keys.card(id),
    queryFn: ({ signal }) => client.show({ task: id }, { signal }),
  })
