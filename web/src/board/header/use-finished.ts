import { useQuery } from '@tanstack/react-query'
import { finishedQuery } from '../../api/queries.ts'
import { useLastLook } from './use-last-look.ts'

/** The maximum number of finished cards that the server counts. */
const COUNTED = 200

export interface Finished {
  /** The end of the last look before the current look. */
  readonly since: number
  readonly n: number
  /** Whether more cards finished than the server counted. */
  readonly isCut: boolean
}

/** Counts the cards that finished since the person looked last. Null at the first look, and if no card finished. */
export function useFinished(board: string | null): Finished | null {
  const since = useLastLook(board)
  const { data } = useQuery({ ...finishedQuery(since ?? 0), enabled: since !== null })
  if (since === null || data === undefined) return null
  const boards = data.boards.filter(({ slug }) => board === null || slug === board)
  const n = boards.reduce((sum, one) => sum + (one.finished ?? 0), 0)
  return n === 0 ? null : { since, n, isCut: boards.some((one) => one.finished === COUNTED) }
}
