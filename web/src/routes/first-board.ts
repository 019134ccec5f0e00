/** The board that this browser opens first. Null means the default board of the command line. */
import { makeValue } from '../app-state/value.ts'

const KEY = 'muster-first-board'

// Tests of pure functions have no storage.
export const firstBoard = makeValue<string | null>(globalThis.localStorage?.getItem(KEY) ?? null)

export function chooseFirstBoard(slug: string | null): void {
  if (slug === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, slug)
  firstBoard.set(slug)
}
