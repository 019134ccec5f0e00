/**
 * Finds the processes of a run: the processes in the session or process group of the wrapper, and their descendants. On
 * Linux, processes with the run's mark in their environment belong to the run too. Zombies do not count.
 */
import type { RunId } from '../core/ids.ts'
import { runMark } from './environment.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'

/** The process that leads the session of a run. */
export interface GroupLeader {
  readonly pid: number
  readonly startTime: string
}

export interface GroupKey {
  readonly run: RunId
  /** The process that leads the session. This is null until the wrapper has written its pid. */
  readonly leader: GroupLeader | null
}

export function groupMembers(processes: ProcessTable, { run, leader }: GroupKey): readonly ProcessInfo[] {
  const all = processes.list().filter(({ pid }) => pid > 1 && pid !== process.pid)
  const mark = runMark(run)
  const led = leaderOf(all, leader)
  const members = new Map<number, ProcessInfo>()
  for (const info of all) {
    const inside = led !== null && (info.session === led || info.group === led)
    if (inside || processes.hasEnvironment(info.pid, mark)) members.set(info.pid, info)
  }
  addDescendants(all, members)
  return [...members.values()].filter(({ zombie }) => !zombie)
}

/**
 * The wrapper's process. Null means that another process has the wrapper's pid now. The system reuses a pid only when
 * the session and the group with this number are empty, so no process of the run is left in them.
 */
function leaderOf(all: readonly ProcessInfo[], leader: GroupLeader | null): number | null {
  if (leader === null) return null
  const now = all.find(({ pid }) => pid === leader.pid)
  return now !== undefined && now.startTime !== leader.startTime ? null : leader.pid
}

function addDescendants(all: readonly ProcessInfo[], members: Map<number, ProcessInfo>): void {
  let grew = true
  while (grew) {
    grew = false
    for (const info of all) {
      if (members.has(info.pid) || !members.has(info.parent)) continue
      members.set(info.pid, info)
      grew = true
    }
  }
}
