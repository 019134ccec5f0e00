import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'

export const noBoard = (slug: string): BoardError =>
  new BoardError('board_not_found', `There is no board ${slug}. To create it: muster boards create ${slug}`, {
    details: { board: slug },
  })

/** A missing board is an error, not an empty list: its name is probably misspelled. */
export async function requireBoard(store: Pick<Store, 'board'>, slug: string): Promise<void> {
  if ((await store.board(slug)) === null) throw noBoard(slug)
}
