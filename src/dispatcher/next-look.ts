/** When the next pass is worth while, even if nothing changes in the store. */
import type { LeaderContext } from './dispatch-context.ts'
import type { RunWatch } from './recovery/run-watch.ts'

/** Between two passes over lanes that are too long for one: this uses a tenth of a core. */
const READ_ON_MS = 250
/** Between two checks of runs that the store does not know. */
const UNKNOWN_RUNS_MS = 1_000

/** A card that is overdue could not be handled in this pass, so it waits for the regular sweep. */
export async function msToNextLook({
  store,
  options,
  lanePositions,
  leadership,
}: Pick<LeaderContext, 'store' | 'options' | 'lanePositions'> & {
  leadership: { runWatch: Pick<RunWatch, 'hasUnknownRuns'> }
}): Promise<number> {
  // One batch: each separate call wakes the thread of the store again.
  const [due, slots, accounts, now] = await Promise.all([store.nextDue(), store.slots(), store.accounts(), store.now()])
  const moments = [due, ...[...slots, ...accounts].map(({ pausedUntil }) => pausedUntil)]
  const waits = moments.flatMap((at) => (at !== null && at > now ? [at - now] : []))
  if (lanePositions?.unfinished === true) waits.push(READ_ON_MS)
  if (leadership.runWatch.hasUnknownRuns()) waits.push(UNKNOWN_RUNS_MS)
  return Math.min(options.sweepMs, ...waits)
}
