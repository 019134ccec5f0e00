/** Ends the remaining processes of a run without a supervisor, and settles the run. */
import type { Run } from '../../core/run.ts'
import { restoreAfterCrash } from '../../harnesses/restore-changed-files.ts'
import { removeSocket } from '../../runs/socket/address.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import type { Deferral, SettledRun } from '../report.ts'
import { endLostGroup } from './end-lost-group.ts'
import type { Loss } from './find-lost-runs.ts'
import { endingOf, unregisteredEnding } from './lost-run-ending.ts'
import { runDirectoryOf, fenceOf, readAgentExit } from './lost-run-files.ts'
import { settleLostRun } from './settle-lost-run.ts'

/** Recovers the run. Returns null if the run no longer needs to be recovered. */
export async function recoverLostRun(
  context: LeaderContext,
  seen: Run,
  loss: Loss,
): Promise<SettledRun | Deferral | null> {
  // The run is read again, because its supervisor may have settled it and exited after the first read.
  const run = await context.store.run(seen.id)
  if (run === null || run.endedAt !== null) return null
  if (run.machine !== context.leadership.machine) return settleForeignRun(context, run)
  if (run.identity === null) return settleUnregisteredRun(context, run, loss)
  // A supervisor has registered since the first read, so the run is not lost.
  if (seen.identity === null) return null
  return settleOwnRun(context, run, loss)
}

/**
 * Settles a run of another machine, whose processes and files cannot be seen from here. If the lease was renewed in the
 * meantime, the store refuses.
 */
function settleForeignRun(context: LeaderContext, run: Run): Promise<SettledRun | null> {
  const error = `its machine (${run.machine ?? 'unknown'}) stopped reporting`
  const ending = { how: 'interrupted', error } as const
  return settleLostRun(context, run, { ending, directory: null, loss: 'lapsed' })
}

const settleUnregisteredRun = (context: LeaderContext, run: Run, loss: Loss): Promise<SettledRun | null> =>
  settleLostRun(context, run, { ending: unregisteredEnding(context, run), directory: null, loss })

async function settleOwnRun(context: LeaderContext, run: Run, loss: Loss): Promise<SettledRun | Deferral | null> {
  const directory = runDirectoryOf(run)
  const exit = await readAgentExit(run)
  const reason = endingOf(run, exit).how === 'exited' ? 'leftovers' : 'interrupted'
  const { found, left } = await endLostGroup(context, run, { directory, fence: fenceOf(run), reason })
  if (left.length > 0) {
    const pids = left.map(({ pid }) => pid).join(', ')
    return { id: run.taskId, reason: `Processes of ${run.id} cannot be ended: ${pids}.` }
  }
  if (run.socketPath !== null) await removeSocket(run.socketPath)
  if (directory !== null) await restoreAfterCrash(directory)
  // If no processes had to be ended, the agent may have exited after its exit status was read. So the status is read
  // again.
  const ending = endingOf(run, found ? exit : await readAgentExit(run))
  return settleLostRun(context, run, { ending, directory, loss })
}
