import { noBoard } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'

/** A missing board is an error, not an empty list: its name is probably misspelled. */
export async function requireBoard(store: Pick<Store, 'board'>, slug: string): Promise<void> {
  if ((await store.board(slug)) === null) throw noBoard(slug)
}
