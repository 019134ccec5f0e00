/** Ends a run's processes: SIGTERM, wait, SIGKILL, confirm. The caller has marked the run `terminating` before. */
import { setTimeout as sleep } from 'node:timers/promises'
import { groupMembers } from './group.ts'
import type { GroupKey } from './group.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'

export interface Patience {
  readonly terminateGraceMs: number
  readonly killWaitMs: number
}

const FIRST_LOOK_MS = 10
const SLOWEST_LOOK_MS = 200

/** Returns the processes that could not be ended. */
export async function terminateGroup(
  processes: ProcessTable,
  key: GroupKey,
  { terminateGraceMs, killWaitMs }: Patience,
): Promise<readonly ProcessInfo[]> {
  const asked = new Set<number>()
  const left = await untilEmpty(processes, key, terminateGraceMs, (member) => {
    if (asked.has(member.pid)) return
    asked.add(member.pid)
    send(processes, member, 'SIGTERM')
    send(processes, member, 'SIGCONT') // A stopped process cannot handle SIGTERM.
  })
  if (left.length === 0) return left
  return untilEmpty(processes, key, killWaitMs, (member) => send(processes, member, 'SIGKILL'))
}

/** Repeats, because children may appear while their parents are being ended. */
async function untilEmpty(
  processes: ProcessTable,
  key: GroupKey,
  patienceMs: number,
  act: (member: ProcessInfo) => void,
): Promise<readonly ProcessInfo[]> {
  const deadline = performance.now() + patienceMs
  let waitMs = FIRST_LOOK_MS
  for (;;) {
    const members = groupMembers(processes, key)
    if (members.length === 0 || performance.now() >= deadline) return members
    members.forEach(act)
    await sleep(Math.min(waitMs, Math.max(1, deadline - performance.now())))
    waitMs = Math.min(waitMs * 2, SLOWEST_LOOK_MS)
  }
}

/** Only if the pid still belongs to the same process. */
function send(processes: ProcessTable, member: ProcessInfo, signal: NodeJS.Signals): void {
  if (processes.read(member.pid)?.startTime === member.startTime) processes.signal(member.pid, signal)
}
