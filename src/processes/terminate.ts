/** Ends a run's processes: SIGTERM, wait, SIGKILL, wait. The caller marks the run as `terminating` first. */
import { setTimeout as sleep } from 'node:timers/promises'
import { groupMembers } from './group.ts'
import type { GroupKey } from './group.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'

export interface TerminationTimeouts {
  readonly terminateGraceMs: number
  readonly killWaitMs: number
}

const FIRST_WAIT_MS = 10
const LONGEST_WAIT_MS = 200

/** Ends the processes of a run. Returns the processes that could not be ended. */
export async function terminateGroup(
  processes: ProcessTable,
  key: GroupKey,
  { terminateGraceMs, killWaitMs }: TerminationTimeouts,
): Promise<readonly ProcessInfo[]> {
  const signalled = new Set<number>()
  const left = await untilEmpty(processes, key, terminateGraceMs, (member) => {
    if (signalled.has(member.pid)) return
    signalled.add(member.pid)
    send(processes, member, 'SIGTERM')
    send(processes, member, 'SIGCONT') // A stopped process cannot handle SIGTERM, so SIGCONT continues it.
  })
  if (left.length === 0) return left
  return untilEmpty(processes, key, killWaitMs, (member) => send(processes, member, 'SIGKILL'))
}

/**
 * Repeats `act` until no process is left or the time is over, because new child processes may appear. Returns the
 * processes that are left.
 */
async function untilEmpty(
  processes: ProcessTable,
  key: GroupKey,
  timeoutMs: number,
  act: (member: ProcessInfo) => void,
): Promise<readonly ProcessInfo[]> {
  const deadline = performance.now() + timeoutMs
  let waitMs = FIRST_WAIT_MS
  for (;;) {
    const members = groupMembers(processes, key)
    if (members.length === 0 || performance.now() >= deadline) return members
    members.forEach(act)
    await sleep(Math.min(waitMs, Math.max(1, deadline - performance.now())))
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

/** Sends a signal, unless another process has the pid by now. */
function send(processes: ProcessTable, member: ProcessInfo, signal: NodeJS.Signals): void {
  if (processes.read(member.pid)?.startTime === member.startTime) processes.signal(member.pid, signal)
}
