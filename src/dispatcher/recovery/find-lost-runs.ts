/** Finds the runs whose supervisor is gone, and those whose supervisor cannot be seen and does not renew its lease. */
import type { Run } from '../../core/run.ts'
import { leaseExpired } from '../../core/limits/lease.ts'
import { sightOf } from '../../processes/identity.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { ObservedRuns } from './observe-runs.ts'
import { startStateOf } from './start-state.ts'
import type { StartLook } from './start-state.ts'

/** `dead`: the supervisor is gone · `lapsed`: the supervisor cannot be seen from here, and its lease has expired */
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

/** If the supervisor can be seen from here, its process decides; otherwise its lease does. */
export function lossOf(
  context: Pick<LeaderContext, 'host' | 'store' | 'options'>,
  run: Run,
  look: StartLook,
): Loss | null {
  const { host, store } = context
  const afterLease = look.now !== null && leaseExpired(run, look.now) ? 'lapsed' : null
  if (run.machine !== host.machine.id) return afterLease
  if (run.identity === null) {
    const start = startStateOf(context, run, look)
    return start === 'coming' ? null : start === 'unseen' ? afterLease : 'dead'
  }
  const sight = sightOf(host, run.identity, store)
  return sight === 'alive' ? null : sight === 'unseen' ? afterLease : 'dead'
}

/**
 * A server's clock may have been set before this dispatcher started, so an expired lease counts only after this dispatcher
 * has seen it unrenewed for its whole length. A SQLite store uses the clock of this machine, which is watched.
 */
const isLeaseUnrenewed = (
  { store, leadership }: LeaderContext,
  run: Run,
  { at, leaseMs }: Pick<ObservedRuns, 'at' | 'leaseMs'>,
): boolean => store.engine === 'sqlite' || leadership.runWatch.isUnrenewed(run, at, leaseMs.get(run.board) ?? Infinity)
