import { noBoard } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'

/** Throws an error if the board does not exist, because its name is probably misspelled. */
export async function requireBoard(store: Pick<Store, 'board'>, slug: string): Promise<void> {
  if ((await store.board(slug)) === null) throw noBoard(slug)
}
