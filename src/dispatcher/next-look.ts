/** Computes when the next pass is due, if nothing changes in the store. */
import type { LeaderContext } from './dispatch-context.ts'
import type { RunWatch } from './recovery/run-watch.ts'

/** The wait between passes while lanes have unread cards. At this rate, passes use a tenth of a core. */
const UNFINISHED_LANES_MS = 250
/** The wait between searches for runs that the store does not know. */
const UNKNOWN_RUNS_MS = 1_000

/** Ignores overdue cards: this pass could not handle them, so they wait for the regular sweep. */
export async function msToNextLook({
  store,
  options,
  lanePositions,
  leadership,
}: Pick<LeaderContext, 'store' | 'options' | 'lanePositions'> & {
  leadership: { runWatch: Pick<RunWatch, 'hasUnknownRuns'> }
}): Promise<number> {
  // Sent together, because each separate call wakes the thread of the store.
  const [due, slots, accounts, now] = await Promise.all([store.nextDue(), store.slots(), store.accounts(), store.now()])
  const moments = [
    due,
    lanePositions?.opensAt ?? null,
    ...[...slots, ...accounts].map(({ pausedUntil }) => pausedUntil),
  ]
  const waits = moments.flatMap((at) => (at !== null && at > now ? [at - now] : []))
  if (lanePositions?.unfinished === true) waits.push(UNFINISHED_LANES_MS)
  if (leadership.runWatch.hasUnknownRuns()) waits.push(UNKNOWN_RUNS_MS)
  return Math.min(options.sweepMs, ...waits)
}
