/** When a pass could do something that this one could not, though nobody writes anything. */
import type { Leading } from './dispatching.ts'

/** What is due already and was not done cannot be done now: it is looked at again with the sweep. */
export async function msToNextLook({ store, options }: Pick<Leading, 'store' | 'options'>): Promise<number> {
  const [due, slots, accounts] = [await store.nextDue(), await store.slots(), await store.accounts()]
  const now = await store.now()
  const moments = [due, ...[...slots, ...accounts].map(({ pausedUntil }) => pausedUntil)]
  const waits = moments.flatMap((at) => (at !== null && at > now ? [at - now] : []))
  return Math.min(options.sweepMs, ...waits)
}
