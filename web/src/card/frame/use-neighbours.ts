import { useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import type { Columns } from '../../api/queries.ts'
import { neighboursOf } from './card-order.ts'
import type { Neighbours } from './card-order.ts'

/** Finds the previous and the next card on the loaded board. */
export function useNeighbours(board: string, card: string): Neighbours {
  const client = useQueryClient()
  // The board's own queries are up to date, and the newest of them belongs to the visible board.
  const [shown] = client
    .getQueryCache()
    .findAll({ queryKey: keys.board(board) })
    .filter(({ state }) => isColumns(state.data))
    .toSorted((a, b) => Number(b.isActive()) - Number(a.isActive()) || b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  return neighboursOf(card, shown?.state.data as Columns | undefined)
}

const isColumns = (data: unknown): data is Columns => typeof data === 'object' && data !== null && 'columns' in data
