/**
 * Finds the processes of all machines, including processes whose parents have ended. This works only on Linux, because
 * it reads /proc.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { RunId } from '../../../src/core/ids.ts'
import { linuxProcesses } from '../../../src/processes/linux-processes.ts'
import { machinesOf } from './chaos-board.ts'
import type { Actor, ChaosBoard, Target } from './chaos-board.ts'

const read = (pid: string, file: string): readonly string[] => {
  try {
    return readFileSync(join('/proc', pid, file), 'latin1').split('\0')
  } catch {
    return []
  }
}

export function census(chaosBoard: ChaosBoard): readonly Actor[] {
  const homes = machinesOf(chaosBoard).map(({ home }) => home)
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap((name) => {
    const command = read(name, 'cmdline')
    const environment = read(name, 'environ')
    const found = homes.map((home) => identify(home, command, environment)).find((one) => one !== null)
    if (found === undefined) return []
    const info = linuxProcesses.read(Number(name))
    return info === null || info.zombie ? [] : [{ ...found, pid: info.pid, startTime: info.startTime }]
  })
}

function identify(
  home: string,
  command: readonly string[],
  environment: readonly string[],
): { target: Target; run: RunId | null } | null {
  const runs = join(home, 'runs')
  const script = basename(command[1] ?? '')
  const supervised = command[command.findIndex((word) => basename(word) === 'supervisor.js') + 1]
  if (supervised?.startsWith(runs)) return of('supervisor', basename(supervised))
  if (script === 'wrapper.sh' && command[2]?.startsWith(runs)) return of('wrapper', command[3] ?? '')
  if (environment.some((entry) => entry.startsWith(`MUSTER_WORKSPACE=${home}/`))) {
    const mark = environment.find((entry) => entry.startsWith('MUSTER_RUN='))
    return of('worker', mark?.slice('MUSTER_RUN='.length) ?? '')
  }
  const isDispatcher = ['up', 'dispatch'].includes(command[2] ?? '') && environment.includes(`MUSTER_HOME=${home}`)
  return isDispatcher ? { target: 'dispatcher', run: null } : null
}

const of = (target: Target, run: string): { target: Target; run: RunId } => ({ target, run: run as RunId })

/** Signals a process only if its pid and start time still belong to the same process. */
export function signal({ pid, startTime }: Actor, name: NodeJS.Signals): boolean {
  const now = linuxProcesses.read(pid)
  if (now === null || now.zombie || now.startTime !== startTime) return false
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
