/** When a pass could do something that this one could not, though nobody writes anything. */
import type { Leading } from './dispatching.ts'

/** Between two looks at lanes too long for one: they take a tenth of a core, not all of it. */
const READ_ON_MS = 250

/** What is due already and was not done cannot be done now: it is looked at again with the sweep. */
export async function msToNextLook({
  store,
  options,
  bookmarks,
}: Pick<Leading, 'store' | 'options' | 'bookmarks'>): Promise<number> {
  const [due, slots, accounts] = [await store.nextDue(), await store.slots(), await store.accounts()]
  const now = await store.now()
  const moments = [due, ...[...slots, ...accounts].map(({ pausedUntil }) => pausedUntil)]
  const waits = moments.flatMap((at) => (at !== null && at > now ? [at - now] : []))
  if (bookmarks?.unfinished === true) waits.push(READ_ON_MS)
  return Math.min(options.sweepMs, ...waits)
}
