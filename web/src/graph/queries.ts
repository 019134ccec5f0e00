import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'

/** Reads the graph around a card, or around the open cards of the board. */
export const graphQuery = (board: string, card: string | null) =>
  queryOptions({
    queryKey: [...keys.board(board), 'graph', card],
    queryFn: ({ signal }) => client.graph(card === null ? {} : { task: card }, { board, signal }),
  })
