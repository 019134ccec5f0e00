/** State, memory and CPU time of processes, for display only. */
// oxlint-disable-next-line muster/powers -- files of /proc, which an agent cannot replace
import { readFileSync } from 'node:fs'
import { readCommand } from './spawn.ts'

export const PROCESS_STATES = ['running', 'sleeping', 'waiting', 'stopped', 'zombie', 'unknown'] as const
export type ProcessState = (typeof PROCESS_STATES)[number]

export interface ProcessUsage {
  readonly pid: number
  readonly command: string
  readonly state: ProcessState
  readonly rssBytes: number
  readonly cpuMs: number
}

/** The usage of the processes. Processes that have ended are left out. */
export function readUsage(pids: readonly number[], platform = process.platform): readonly ProcessUsage[] {
  if (platform === 'linux') return pids.flatMap((pid) => linuxUsage(pid) ?? [])
  if (pids.length === 0) return []
  const columns = ['-o', 'pid=,stat=,rss=,time=,command=', '-p', pids.join(',')]
  return parsePsUsage(readCommand('ps', columns, { LC_ALL: 'C' }) ?? '')
}

/**
 * The first letters of the states that `ps` and /proc report. `D` (`U` on macOS) is a sleep that no signal ends,
 * usually for a disk access.
 */
const STATES: Readonly<Record<string, ProcessState>> = {
  R: 'running',
  S: 'sleeping',
  I: 'sleeping',
  D: 'waiting',
  U: 'waiting',
  T: 'stopped',
  t: 'stopped',
  Z: 'zombie',
  X: 'zombie',
}

const stateOf = (letters: string): ProcessState => STATES[letters.charAt(0)] ?? 'unknown'

/** Linux reports CPU time in hundredths of a second (USER_HZ). */
const TICK_MS = 10

function linuxUsage(pid: number): ProcessUsage | null {
  const [stat, status, cmdline] = ['stat', 'status', 'cmdline'].map((file) => readProc(pid, file))
  return stat == null || status == null ? null : parseLinuxUsage({ stat, status, cmdline: cmdline ?? '' })
}

export function parseLinuxUsage(files: {
  readonly stat: string
  readonly status: string
  readonly cmdline: string
}): ProcessUsage | null {
  const { stat, status, cmdline } = files
  const end = stat.lastIndexOf(')')
  // The fields of /proc/<pid>/stat, beginning with field 3. They come after the program name in parentheses, which may
  // contain spaces.
  const fields = stat.slice(end + 2).split(' ')
  if (end === -1 || fields.length < 13) return null
  const name = stat.slice(stat.indexOf('(') + 1, end)
  const command = cmdline.split('\0').join(' ').trim()
  return {
    pid: Number.parseInt(stat, 10),
    // Zombies and kernel threads have no command line.
    command: command === '' ? `[${name}]` : command,
    state: stateOf(fields[0] ?? ''),
    rssBytes: Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024,
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
  }
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}

export function parsePsUsage(output: string): ProcessUsage[] {
  return output.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\S+)\s+(\d+)\s+([\d:.-]+)\s+(.*?)\s*$/.exec(line)
    if (found === null) return []
    const [, pid, state = '', kilobytes, time = '', command = ''] = found
    return [
      {
        pid: Number(pid),
        command,
        state: stateOf(state),
        rssBytes: Number(kilobytes) * 1024,
        cpuMs: parseCpuTime(time),
      },
    ]
  })
}

/** Parses CPU times such as `1:02.50`, `3:01:02` or `2-03:01:02` (days, hours, minutes, seconds). */
function parseCpuTime(text: string): number {
  const [days, clock] = text.includes('-') ? text.split('-') : ['0', text]
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1000)
}
