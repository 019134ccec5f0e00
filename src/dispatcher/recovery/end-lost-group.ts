import type { Fence, Run } from '../../core/run.ts'
import { markCutOff } from '../../runs/files/exit-file.ts'
import { groupMembers } from '../../processes/group.ts'
import type { ProcessInfo } from '../../processes/process-table.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { tryBriefly } from '../../supervisor/retry.ts'
import { terminateGroup } from '../../processes/terminate.ts'
import type { Termination } from '../../supervisor/termination.ts'
import { readLeader } from '../../runs/wrapper.ts'
import { DISPATCHER } from '../actor.ts'
import type { LeaderContext } from '../dispatch-context.ts'

interface Lost {
  readonly directory: RunDirectory | null
  readonly fence: Fence
  readonly reason: Termination
}

/** Whether processes were found, and which of them could not be ended. */
export interface Remains {
  readonly found: boolean
  readonly left: readonly ProcessInfo[]
}

const NOTHING: Remains = { found: false, left: [] }

/** Ends the processes that a lost supervisor left. After a reboot, or in another container, its pids mean nothing. */
export async function endLostGroup(
  { store, host, options, leadership }: LeaderContext,
  run: Run,
  { directory, fence, reason }: Lost,
): Promise<Remains> {
  const { bootId, pidNamespace } = host.machine
  if (run.identity?.bootId !== bootId || run.identity.pidNamespace !== pidNamespace) return NOTHING
  const leader = directory === null ? null : await readLeader(directory, fence)
  const key = { run: run.id, leader }
  if (groupMembers(host.processes, key).length === 0) return NOTHING
  // Marked before the signal: if this process dies in between, the exit of the killed agent does not count as its own. The
  // signal follows even if the store does not answer.
  const input = { task: run.taskId, fence, reason }
  const mark = (survivors: number[]) =>
    tryBriefly(() =>
      store.decide({ verb: 'terminating', board: run.board, actor: DISPATCHER, input: { ...input, survivors } }),
    )
  if (directory !== null && reason !== 'leftovers') await markCutOff(directory)
  await mark([])
  const left = await terminateGroup(host.processes, key, options)
  const pids = left.map(({ pid }) => pid)
  if (pids.length > 0 && leadership.runWatch.isFirstReport(run.id)) await mark(pids)
  return { found: true, left }
}
