import { useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import type { Columns } from '../../api/queries.ts'
import { neighboursOf } from './card-order.ts'
import type { Neighbours } from './card-order.ts'

/** Finds the cards before and after the open card on the loaded board. */
export function useNeighbours(board: string, card: string): Neighbours {
  const client = useQueryClient()
  // The board keeps its own queries up to date. The newest of them belongs to the board on the screen.
  const [shown] = client
    .getQueryCache()
    .findAll({ queryKey: keys.board(board) })
    .filter(({ state }) => isColumns(state.data))
    .toSorted((a, b) => Number(b.isActive()) - Number(a.isActive()) || b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  return neighboursOf(card, shown?.state.data as Columns | undefined)
}

const isColumns = (data: unknown): data is Columns => typeof data === 'object' && data !== null && 'columns' in data
