import { DEFAULT_BOARD } from '../../core/ids.ts'
import type { ServeTarget } from '../../operations/machine/server-port.ts'

/** The board whose history records sign-ins. This is the current board if it exists, otherwise any other board. */
export async function signingBoard({ store, options }: Pick<ServeTarget, 'store' | 'options'>): Promise<string> {
  const boards = (await store.boards()).map(({ slug }) => slug)
  return boards.includes(options.board) ? options.board : (boards[0] ?? DEFAULT_BOARD)
}
