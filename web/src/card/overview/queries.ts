/**
 * The further queries of the overview. Queries with keys below `keys.card` are refreshed after each event of the card.
 */
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { CardDetails } from '../card-details.ts'

export const whyKey = (id: string) => [...keys.card(id), 'why']

export const whyQuery = (id: string) =>
  queryOptions({
    queryKey: whyKey(id),
    queryFn: ({ signal }) => client.why({ task: id }, { signal }),
  })

export const commandsQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.card(id), 'commands'],
    queryFn: ({ signal }) => client.previewCommands({ task: id }, { signal }),
  })

/** The number of files that the overview lists. */
export const FILES_SHOWN = 3

export const changesQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.card(id), 'changed-files'],
    queryFn: ({ signal }) => client.diff({ task: id, limit: FILES_SHOWN + 1 }, { signal }),
    retry: false,
  })

/** At most this many dependent cards are shown. The board shows all of them. */
const MOST_CHILDREN = 200

/** Reads the parents and children of a card with their status. They are refreshed after events of the board. */
export const relativesQuery = ({ board, id }: Pick<CardDetails, 'board' | 'id'>) =>
  queryOptions({
    queryKey: [...keys.board(board), 'relatives', id],
    async queryFn({ signal }) {
      const [located, listed] = await Promise.all([
        client.locateResults({ task: id }, { signal }),
        client.list({ parent: id, limit: MOST_CHILDREN, archived: true, sort: 'status' }, { board, signal }),
      ])
      return { parents: located.parents, children: listed, folder: located.folder, elsewhere: located.elsewhere }
    },
  })
