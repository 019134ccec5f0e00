import type { Run } from '../../core/run.ts'
import type { Termination } from '../../supervisor/termination.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { Deferral, SettledRun } from '../report.ts'
import { endSupervisor } from './end-supervisor.ts'
import { readAgentExit } from './lost-run-files.ts'
import { recoverLostRun } from './recover-lost-run.ts'
import { renewsWhenNudged } from './renews-when-nudged.ts'

/**
 * Ends a supervisor that hangs, and recovers its run. If the agent has already exited, the agent's exit status counts.
 */
export async function takeOverHungRun(
  context: LeaderContext,
  seen: Run,
  reason: Termination,
): Promise<SettledRun | Deferral | null> {
  const run = await context.store.run(seen.id)
  if (run === null || run.endedAt !== null || run.leaseUntil !== seen.leaseUntil) return null
  // A supervisor that ignores the time limit counts as hung, even if it renews its lease.
  if (reason !== 'timed_out' && (await renewsWhenNudged(context, run))) return null
  const hasExited = (await readAgentExit(run)) !== null
  if (!(await endSupervisor(context, run, hasExited ? 'leftovers' : reason)))
    return { id: run.taskId, reason: `The supervisor of ${run.id} hangs and cannot be ended.` }
  return recoverLostRun(context, run, 'dead')
}
