import { DEFAULT_BOARD } from '../../core/ids.ts'
import type { ServeTarget } from '../../operations/machine/server-port.ts'

/** The board whose history records sign-ins: the current one if it exists, or any other. */
export async function signingBoard({ store, options }: Pick<ServeTarget, 'store' | 'options'>): Promise<string> {
  const boards = (await store.boards()).map(({ slug }) => slug)
  return boards.includes(options.board) ? options.board : (boards[0] ?? DEFAULT_BOARD)
}
