/** When a pass could do something that this one could not, though nobody writes anything. */
import type { LeaderContext } from './dispatch-context.ts'
import type { RunWatch } from './recovery/run-watch.ts'

/** Between two looks at lanes too long for one: they take a tenth of a core, not all of it. */
const READ_ON_MS = 250
/** Between two looks at processes that the store does not know. */
const UNKNOWN_RUNS_MS = 1_000

/** What is due already and was not done cannot be done now: it is looked at again with the sweep. */
export async function msToNextLook({
  store,
  options,
  lanePositions,
  leadership,
}: Pick<LeaderContext, 'store' | 'options' | 'lanePositions'> & {
  leadership: { runWatch: Pick<RunWatch, 'hasUnknownRuns'> }
}): Promise<number> {
  // Asked together, because each separate question wakes the thread of the store once more.
  const [due, slots, accounts, now] = await Promise.all([store.nextDue(), store.slots(), store.accounts(), store.now()])
  const moments = [due, ...[...slots, ...accounts].map(({ pausedUntil }) => pausedUntil)]
  const waits = moments.flatMap((at) => (at !== null && at > now ? [at - now] : []))
  if (lanePositions?.unfinished === true) waits.push(READ_ON_MS)
  if (leadership.runWatch.hasUnknownRuns()) waits.push(UNKNOWN_RUNS_MS)
  return Math.min(options.sweepMs, ...waits)
}
