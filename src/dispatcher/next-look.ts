/** Computes when the next pass is due, if nothing changes in the store. */
import type { LeaderContext } from './dispatch-context.ts'
import type { RunWatch } from './recovery/run-watch.ts'

/** The wait between passes while lanes have unread cards. At this rate, the passes use a tenth of a processor core. */
const UNFINISHED_LANES_MS = 250
/** The wait between searches for runs that are alive but unknown to the store. */
const UNKNOWN_RUNS_MS = 1_000

/**
 * Returns how long until the next pass is due. Overdue cards do not count: this pass could not handle them, so they
 * wait for the regular pass.
 */
export async function msToNextLook({
  store,
  options,
  lanePositions,
  leadership,
}: Pick<LeaderContext, 'store' | 'options' | 'lanePositions'> & {
  leadership: { runWatch: Pick<RunWatch, 'hasUnknownRuns'> }
}): Promise<number> {
  // These queries are sent together, because each separate query would wake the thread of the store.
  const [due, series, slots, accounts, now] = await Promise.all([
    store.nextDue(),
    store.nextSeriesAt(),
    store.slots(),
    store.accounts(),
    store.now(),
  ])
  const moments = [
    due,
    series,
    lanePositions?.opensAt ?? null,
    ...[...slots, ...accounts].map(({ pausedUntil }) => pausedUntil),
  ]
  const waits = moments.flatMap((at) => (at !== null && at > now ? [at - now] : []))
  if (lanePositions?.unfinished === true) waits.push(UNFINISHED_LANES_MS)
  if (leadership.runWatch.hasUnknownRuns()) waits.push(UNKNOWN_RUNS_MS)
  return Math.min(options.sweepMs, ...waits)
}
