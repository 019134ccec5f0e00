/** Reads the open agent runs and records their current state in the run watch. */
import type { Run } from '../../core/run.ts'
import { nudgeRun } from '../../runs/files/run-directory.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import type { LeaderContext } from '../dispatch-context.ts'

export interface ObservedRuns {
  readonly runs: readonly Run[]
  /** The time by the store's clock. */
  readonly now: number
  /** Whether the store's clock may be used for deadlines. */
  readonly isClockTrusted: boolean
  /** The monotonic time just before the store was read. */
  readonly at: number
  /** The lease of each board, by slug. */
  readonly leaseMs: ReadonlyMap<string, number>
}

export async function observeRuns({ store, leadership, options }: LeaderContext): Promise<ObservedRuns> {
  const { runWatch } = leadership
  const at = monotonicMs()
  const [now, open] = await Promise.all([store.now(), store.openRuns(null)])
  const seenAt = monotonicMs()
  const runs = open.filter(({ kind }) => kind === 'agent')
  const observation = { now, at, seenAt, doubtMs: options.clockDoubtMs, isCurrent: leadership.isCurrent() }
  const isClockTrusted = runWatch.observe(runs, observation)
  // A command on another machine cannot nudge a supervisor on this machine, so the dispatcher nudges it.
  for (const id of runWatch.newIntents(runs, seenAt)) nudgeRun(options.home, id)
  const boards = runs.length === 0 ? [] : await store.boards()
  return { runs, now, isClockTrusted, at, leaseMs: new Map(boards.map((one) => [one.slug, one.settings.leaseMs])) }
}
