import { setTimeout as sleep } from 'node:timers/promises'
import { markCutOff } from '../runs/files/exit-file.ts'
import { groupMembers } from '../processes/group.ts'
import type { ProcessInfo } from '../processes/process-table.ts'
import type { GroupLeader } from '../processes/group.ts'
import { readLeader } from '../runs/wrapper.ts'
import { terminateGroup } from '../processes/terminate.ts'
import type { Termination } from './termination.ts'
import { tryBriefly } from './retry.ts'
import type { SupervisedRun } from './supervised-run.ts'
import { SUPERVISOR } from './supervised-run.ts'

/**
 * The waits between attempts to end the processes. The attempts never stop: no second worker may start while a process
 * of the first one is alive.
 */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000

/**
 * Ends the processes of the run. Returns false if there were none. If `why` is null, the run is not marked as
 * terminating, because another process owns it or the store cannot be reached.
 */
export async function endGroup(
  owned: SupervisedRun,
  wrapper: GroupLeader | null,
  why: Termination | null,
): Promise<boolean> {
  const { host, directory, fence, ticket } = owned
  const leader = (await readLeader(directory, fence)) ?? wrapper
  const key = { run: fence.runId, leader }
  if (groupMembers(host.processes, key).length === 0) return false
  if (why !== 'leftovers') await markCutOff(directory)
  if (why !== null) await markTerminating(owned, why)
  let left = await terminateGroup(host.processes, key, ticket)
  if (left.length > 0 && why !== null) await markTerminating(owned, why, left)
  for (let waitMs = FIRST_WAIT_MS; left.length > 0; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    await sleep(waitMs)
    left = await terminateGroup(host.processes, key, ticket)
  }
  return true
}

/**
 * Marks the run as terminating before its processes get a signal. If the store does not answer or refuses the mark, the
 * processes are ended nevertheless.
 */
async function markTerminating(
  { store, ticket, fence }: SupervisedRun,
  reason: Termination,
  left: readonly ProcessInfo[] = [],
): Promise<void> {
  const { board, task } = ticket
  const input = { task, fence, reason, survivors: left.map(({ pid }) => pid) }
  await tryBriefly(() => store.decide({ verb: 'terminating', board, actor: SUPERVISOR, input }))
}
