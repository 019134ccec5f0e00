/** Ends the processes that a lost run left, and settles the run. */
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

/** Null if the run no longer needs recovery. */
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
  // The supervisor has registered since the first read, so the run is not lost.
  if (seen.identity === null) return null
  return settleOwnRun(context, run, loss)
}

/** This machine cannot see the run's processes and files. The store refuses if the lease was renewed meanwhile. */
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
  // If there were no processes to end, the agent may have exited after its exit status was read, so it is read again.
  const ending = endingOf(run, found ? exit : await readAgentExit(run))
  return settleLostRun(context, run, { ending, directory, loss })
}
