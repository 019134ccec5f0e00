/** Finds the runs of this machine whose supervisor is alive but does not work, because it is suspended or hangs. */
import type { Run } from '../../core/run.ts'
import { isAlive } from '../../processes/identity.ts'
import type { Termination } from '../../supervisor/termination.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { ObservedRuns } from './observe-runs.ts'

export interface HungRun {
  readonly run: Run
  readonly reason: Termination
}

export function findHungRuns(
  { host, leadership, options }: LeaderContext,
  { runs, now, at, leaseMs }: ObservedRuns,
): readonly HungRun[] {
  const own = runs.filter(({ machine, identity }) => machine === leadership.machine && identity !== null)
  return own.flatMap((run) => {
    const limits = { leaseMs: leaseMs.get(run.board) ?? Infinity, takeOverMs: options.takeOverMs }
    const reason = leadership.runWatch.hangReason(run, { now, at }, limits)
    return reason !== null && run.identity !== null && isAlive(host, run.identity) ? [{ run, reason }] : []
  })
}
