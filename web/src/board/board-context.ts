/** The values that all parts of a board share. */
import { createContext, useContext } from 'react'
import type { Prefill } from '../routes/create-address.ts'
import type { LaneName } from './lanes.ts'

export interface BoardInfo {
  /** Null means all boards. */
  readonly board: string | null
  /** Default values for a new card on this board or in this group, such as the agent of the group. */
  readonly defaults: Prefill
  /** Called when the person scrolls near the end of a lane. */
  readonly loadMore: (lane: LaneName) => void
  /** Whether columns without cards are open. */
  readonly showsEmpty: boolean
  /** Whether the person filters by status. Then all matching columns are open. */
  readonly hasChosen: boolean
  /** The number of cards that finished since the person looked last. */
  readonly newDone: number
}

const BoardContext = createContext<BoardInfo>({
  board: null,
  defaults: {},
  loadMore: () => {},
  showsEmpty: false,
  hasChosen: false,
  newDone: 0,
})

export const BoardProvider = BoardContext.Provider

export const useBoardInfo = (): BoardInfo => useContext(BoardContext)
