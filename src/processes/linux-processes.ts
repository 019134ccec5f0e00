// oxlint-disable-next-line muster/powers -- files of /proc, which an agent cannot replace
import { readFileSync, readdirSync } from 'node:fs'
import type { ProcessInfo, ProcessTable } from './process-table.ts'
import { sendSignal } from './process-table.ts'

/** Parses /proc/<pid>/stat. The program name in parentheses may contain spaces and parentheses. */
export function parseStat(line: string): ProcessInfo | null {
  const end = line.lastIndexOf(')')
  const pid = Number.parseInt(line, 10)
  const [state, parent, group, session, ...rest] = line.slice(end + 2).split(' ')
  const startTime = rest[15] // The start time is field 22 in the manual page proc(5), and `rest` begins with field 7.
  if (end === -1 || Number.isNaN(pid) || state === undefined || startTime === undefined) return null
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    zombie: state === 'Z' || state === 'X',
    startTime,
  }
}

export const linuxProcesses: ProcessTable = {
  read: (pid) => {
    const line = readProc(pid, 'stat')
    return line === null ? null : parseStat(line)
  },
  list: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => linuxProcesses.read(Number(name)) ?? []),
  hasEnvironment: (pid, entry) => readProc(pid, 'environ')?.split('\0').includes(entry) ?? false,
  signal: sendSignal,
}

/** Reads a file of /proc. Returns null if the process has ended or belongs to another user. */
function readProc(pid: number, file: 'stat' | 'environ'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return null
  }
}
