import type { ProcessInfo, ProcessTable } from './process-table.ts'
import { sendSignal } from './process-table.ts'
import { readCommand } from './spawn.ts'

const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart='

/**
 * Parses the output of `ps`, because macOS has no /proc. `ps` runs in a fixed language and time zone, so that it always
 * prints start times in the same way.
 */
export function parsePs(output: string): ProcessInfo[] {
  return output.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line)
    if (found === null) return []
    const [, pid, parent, group, state = '', startTime = ''] = found
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        zombie: state.startsWith('Z'),
        startTime,
      },
    ]
  })
}

const ps = (...args: string[]): ProcessInfo[] =>
  parsePs(readCommand('ps', [...args, '-o', COLUMNS], { LC_ALL: 'C', TZ: 'UTC' }) ?? '')

export const macProcesses: ProcessTable = {
  read: (pid) => ps('-p', String(pid))[0] ?? null,
  list: () => ps('-ax'),
  hasEnvironment: () => false,
  signal: sendSignal,
}
