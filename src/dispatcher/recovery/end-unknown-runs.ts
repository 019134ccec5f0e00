/**
 * Ends runs that are alive on this machine but not open in the store, because the store was restored or replaced. A
 * nudge makes the supervisor read the store and end its agent. If this takes too long, the supervisor is killed.
 */
import type { RunId, TaskId } from '../../core/ids.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { markCutOff } from '../../runs/files/exit-file.ts'
import { findLiveRuns } from '../../supervisor/start/live-runs.ts'
import type { LiveRun } from '../../supervisor/start/live-runs.ts'
import { nudgeRun } from '../../runs/files/run-directory.ts'
import { terminateGroup } from '../../processes/terminate.ts'
import type { LeaderContext } from '../dispatch-context.ts'
import { killSupervisor } from './end-supervisor.ts'

/** The cards that must not start because they have a run that is still alive, each with the id of this run. */
export type UnknownRuns = ReadonlyMap<TaskId, RunId>

const NO_RUNS: UnknownRuns = new Map()

export async function endUnknownRuns(context: LeaderContext): Promise<UnknownRuns> {
  const { store, host, options, leadership } = context
  const { runWatch } = leadership
  if (!runWatch.mayHaveUnknownRuns()) return NO_RUNS
  const at = monotonicMs()
  const live = await findLiveRuns(options.home, host)
  // The open runs are read after the search, so that a run that was claimed during the search counts as open.
  const open = new Set((await store.openRuns(null)).map(({ id }) => id))
  const unknownRuns = live.filter(({ id, ticket }) => !open.has(id) && ticket?.store === options.store)
  const ended = await Promise.all(
    unknownRuns.map((run) => endUnknownRun(context, run, at - runWatch.unknownSince(run.id, at))),
  )
  const left = unknownRuns.filter((_, index) => ended[index] !== true)
  runWatch.keepUnknownRuns(new Map(left.map(({ id }) => [id, runWatch.unknownSince(id, at)])))
  return new Map(left.flatMap(({ id, ticket }) => (ticket === null ? [] : [[ticket.task, id] as const])))
}

/**
 * Ends the run. Returns whether all processes of the run are gone. `seenForMs` is the time since the run was first
 * seen.
 */
async function endUnknownRun({ host, options }: LeaderContext, run: LiveRun, seenForMs: number): Promise<boolean> {
  const { id, directory, supervisor, key } = run
  if (supervisor !== null) {
    nudgeRun(options.home, id)
    if (seenForMs < options.takeOverMs || !(await killSupervisor(host, supervisor, options.killWaitMs))) return false
  }
  await markCutOff(directory)
  return (await terminateGroup(host.processes, key, options)).length === 0
}
