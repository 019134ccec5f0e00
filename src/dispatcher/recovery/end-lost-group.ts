import type { Fence, Run } from '../../core/run.ts'
import { markCutOff } from '../../runs/files/exit-file.ts'
import { groupMembers } from '../../processes/group.ts'
import type { ProcessInfo } from '../../processes/process-table.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { tryBriefly } from '../../supervisor/retry.ts'
import { terminateGroup } from '../../processes/terminate.ts'
import type { Termination } from '../../supervisor/termination.ts'
import { readLeader } from '../../runs/wrapper.ts'
import { DISPATCHER_ACTOR } from '../../core/actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'

interface LostGroup {
  readonly directory: RunDirectory | null
  readonly fence: Fence
  readonly reason: Termination
}

/** `found` means that the run had live processes. `left` lists the processes that could not be ended. */
export interface LeftProcesses {
  readonly found: boolean
  readonly left: readonly ProcessInfo[]
}

const NO_PROCESSES: LeftProcesses = { found: false, left: [] }

/**
 * Ends the processes that remain after the supervisor of a run has died. After a reboot or in another container, no
 * process is ended, because the recorded pids are not valid there.
 */
export async function endLostGroup(
  { store, host, options, leadership }: LeaderContext,
  run: Run,
  { directory, fence, reason }: LostGroup,
): Promise<LeftProcesses> {
  const { bootId, pidNamespace } = host.machine
  if (run.identity?.bootId !== bootId || run.identity.pidNamespace !== pidNamespace) return NO_PROCESSES
  const leader = directory === null ? null : await readLeader(directory, fence)
  const key = { run: run.id, leader }
  if (groupMembers(host.processes, key).length === 0) return NO_PROCESSES
  // The run is marked before the signal. So the exit status of a killed agent never counts as the agent's own, even if
  // this process dies in between. The signal is sent even if the store does not answer.
  const input = { task: run.taskId, fence, reason }
  const mark = (survivors: number[]) =>
    tryBriefly(() =>
      store.decide({ verb: 'terminating', board: run.board, actor: DISPATCHER_ACTOR, input: { ...input, survivors } }),
    )
  if (directory !== null && reason !== 'leftovers') await markCutOff(directory)
  await mark([])
  const left = await terminateGroup(host.processes, key, options)
  const pids = left.map(({ pid }) => pid)
  if (pids.length > 0 && leadership.runWatch.isFirstReport(run.id)) await mark(pids)
  return { found: true, left }
}
