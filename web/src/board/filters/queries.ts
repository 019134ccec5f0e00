import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { BoardAsked } from '../../api/queries.ts'
import type { Inputs } from '../../../../src/client/index.ts'

export type GroupField = Inputs['groups']['by']

/** Reads the values of a field, each with its number of cards. */
export const groupsQuery = (board: string | null, by: GroupField, asked: BoardAsked = {}) =>
  queryOptions({
    queryKey: [...keys.board(board), 'groups', by, asked],
    queryFn: ({ signal }) => {
      const { sort: _sort, ...filter } = asked
      return client.groups({ ...filter, by, all: board === null }, { ...(board !== null && { board }), signal })
    },
  })
