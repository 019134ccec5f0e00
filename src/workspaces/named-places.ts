/** Places that people have named: none of them is ever removed, nor anything that holds one, wherever it is. */
import type { Board } from '../core/board.ts'
import type { Store } from '../storage/store.ts'

/** Asked for when the first folder is about to go, and then known for the rest of a round. */
export function namedPlaces(
  store: Pick<Store, 'namedPlaces'>,
  boards: readonly Pick<Board, 'settings'>[],
): () => Promise<readonly string[]> {
  let found: Promise<readonly string[]> | null = null
  const defaults = boards.flatMap(({ settings }) => settings.defaultDirectory ?? [])
  return () => (found ??= store.namedPlaces().then((places) => [...defaults, ...places]))
}
