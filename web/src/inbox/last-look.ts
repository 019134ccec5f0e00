/** Remembers when a person last looked at this page, to count the cards that have finished since then. */
import { serverNow } from '../api/server-clock.ts'

const KEY = 'muster-inbox-looked'
const DAY_MS = 86_400_000

/** Returns the time of the last look. On the first look, returns the time one day ago. */
export function lastLook(): number {
  const stored = Number(localStorage.getItem(KEY) ?? NaN)
  return Number.isSafeInteger(stored) && stored > 0 ? stored : serverNow() - DAY_MS
}

export const noteLook = (): void => localStorage.setItem(KEY, String(serverNow()))
