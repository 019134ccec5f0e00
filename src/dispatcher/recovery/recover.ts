/**
 * Closes the runs whose supervisor is dead or hangs.
 *
 * - If the agent has exited, its exit file and its verdict decide the outcome.
 * - Otherwise the agent's processes are ended, and the run is `interrupted`, which does not count as a failure.
 * - If the supervisor cannot be seen from here, the run is `interrupted` when its lease has expired.
 */
import type { Run } from '../../core/run.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { Deferral, SettledRun } from '../report.ts'
import { findHungRuns } from './find-hung-runs.ts'
import { findLostRuns } from './find-lost-runs.ts'
import { observeRuns } from './observe-runs.ts'
import { recoverLostRun } from './recover-lost-run.ts'
import { takeOverHungRun } from './take-over-hung-run.ts'

export interface Recovered {
  readonly settled: readonly SettledRun[]
  readonly deferred: readonly Deferral[]
}

/** Recovers all runs in parallel, so that a slow or failed recovery does not delay other runs. */
export async function recover(context: LeaderContext): Promise<Recovered> {
  const observed = await observeRuns(context)
  const lost = findLostRuns(context, observed)
  const hung = findHungRuns(context, observed)
  const results = await Promise.all([
    ...lost.map(({ run, loss }) => orDefer(run, () => recoverLostRun(context, run, loss))),
    ...hung.map(({ run, reason }) => orDefer(run, () => takeOverHungRun(context, run, reason))),
  ])
  return {
    settled: results.flatMap((one) => (one !== null && 'outcome' in one ? [one] : [])),
    deferred: results.flatMap((one) => (one !== null && 'reason' in one ? [one] : [])),
  }
}

async function orDefer(run: Run, work: () => Promise<SettledRun | Deferral | null>) {
  try {
    return await work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { id: run.taskId, reason: `Run ${run.id} was lost and could not be closed: ${why}` }
  }
}
