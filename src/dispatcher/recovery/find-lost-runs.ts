/**
 * Finds the runs whose supervisor is dead. If this machine cannot see a supervisor, the run counts as lost when its
 * lease has expired.
 */
import type { Run } from '../../core/run.ts'
import { leaseExpired } from '../../core/limits/lease.ts'
import { livenessOf } from '../../processes/identity.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { ObservedRuns } from './observe-runs.ts'
import { startStateOf } from './start-state.ts'
import type { StartFacts } from './start-state.ts'

/**
 * `dead` means that the supervisor is dead. `lapsed` means that the supervisor cannot be seen from here and its lease
 * has expired.
 */
export type Loss = 'dead' | 'lapsed'

export interface LostRun {
  readonly run: Run
  readonly loss: Loss
}

export function findLostRuns(context: LeaderContext, observed: ObservedRuns): readonly LostRun[] {
  const { runWatch, identity } = context.leadership
  const { now, at, isClockTrusted } = observed
  return observed.runs.flatMap((run) => {
    const loss = lossOf(context, run, {
      now: isClockTrusted ? now : null,
      own: identity,
      wasWatchedFor: (ms) => runWatch.wasWatchedFor(run, at, ms),
      hasExit: runWatch.exitOf(run) !== null,
      startFailed: runWatch.startFaultOf(run) !== null,
    })
    if (loss === null) return []
    return loss === 'dead' || isLeaseUnrenewed(context, run, observed) ? [{ run, loss }] : []
  })
}

/**
 * Decides whether a run has lost its supervisor. If this machine can see the supervisor's process, the process decides,
 * otherwise the lease.
 */
export function lossOf(
  context: Pick<LeaderContext, 'host' | 'store' | 'options'>,
  run: Run,
  facts: StartFacts,
): Loss | null {
  const { host, store } = context
  const afterLease = facts.now !== null && leaseExpired(run, facts.now) ? 'lapsed' : null
  if (run.machine !== host.machine.id) return afterLease
  if (run.identity === null) {
    const start = startStateOf(context, run, facts)
    return start === 'starting' ? null : start === 'unseen' ? afterLease : 'dead'
  }
  const liveness = livenessOf(host, run.identity, store)
  return liveness === 'alive' ? null : liveness === 'unseen' ? afterLease : 'dead'
}

/**
 * An expired lease counts only after this dispatcher has seen no renewal for the length of a lease. The clock of a
 * database server may have changed before this dispatcher started. A SQLite store uses this machine's clock, and the
 * dispatcher notices when that clock jumps.
 */
const isLeaseUnrenewed = (
  { store, leadership }: LeaderContext,
  run: Run,
  { at, leaseMs }: Pick<ObservedRuns, 'at' | 'leaseMs'>,
): boolean => store.engine === 'sqlite' || leadership.runWatch.isUnrenewed(run, at, leaseMs.get(run.board) ?? Infinity)
