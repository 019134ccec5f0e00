/**
 * Identifies the process that holds a lock, and finds out whether it is alive. A reused pid, a restart of the machine
 * and a process in another container are recognised.
 */
import { hostname } from 'node:os'
import { readlink } from 'node:fs/promises'
import { readIfExists } from '../../util/replace-file.ts'
import { runProgram } from '../../processes/run-program.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** The start time of the process. Null means that the system does not report it. */
  readonly startTime: string | null
  readonly bootId: string | null
  /** The pid namespace of the process. This is null on systems without pid namespaces. */
  readonly pidNamespace: string | null
  readonly hostname: string
}

/** `unseen` means that the process may be alive, but that this process cannot find out. */
export type ProcessLiveness = 'alive' | 'dead' | 'unseen'

let own: Promise<ProcessIdentity> | undefined

export const ownProcess = (): Promise<ProcessIdentity> => (own ??= identifySelf())

async function identifySelf(): Promise<ProcessIdentity> {
  const [found, bootId, pidNamespace] = await Promise.all([
    lookUp(process.pid),
    readBootId(),
    readlink('/proc/self/ns/pid').catch(() => null),
  ])
  return { pid: process.pid, startTime: found?.startTime ?? null, bootId, pidNamespace, hostname: hostname() }
}

export async function processLiveness(identity: ProcessIdentity): Promise<ProcessLiveness> {
  const here = await ownProcess()
  if (identity.bootId !== here.bootId) return identity.hostname === here.hostname ? 'dead' : 'unseen'
  if (identity.bootId === null && identity.hostname !== here.hostname) return 'unseen'
  if (identity.pidNamespace !== here.pidNamespace) return 'unseen'
  if (isGone(identity.pid)) return 'dead'
  const found = await lookUp(identity.pid)
  // A process that was not found may still exist, because a system may hide the processes of other users.
  if (found === null || identity.startTime === null) return isGone(identity.pid) ? 'dead' : 'unseen'
  return !found.isZombie && found.startTime === identity.startTime ? 'alive' : 'dead'
}

export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM'
  }
}

interface ProcessStat {
  readonly startTime: string
  readonly isZombie: boolean
}

const isLinux = process.platform === 'linux'

async function lookUp(pid: number): Promise<ProcessStat | null> {
  if (isLinux) return parseStat((await readIfExists(`/proc/${pid}/stat`)) ?? '')
  const env = { LC_ALL: 'C', TZ: 'UTC' }
  const { stdout } = await runProgram('ps', ['-p', String(pid), '-o', 'stat=,lstart='], { cwd: '/', env })
  const [, state = '', startTime] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(stdout.toString()) ?? []
  return startTime === undefined ? null : { startTime, isZombie: state.startsWith('Z') }
}

/**
 * Parses the state of a process. The last parenthesis is searched, because the program name in parentheses may contain
 * spaces and parentheses.
 */
function parseStat(line: string): ProcessStat | null {
  const [state, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const startTime = rest[18] // The start time is field 22 in the manual page proc(5), and `rest` begins with field 4.
  return startTime === undefined ? null : { startTime, isZombie: state === 'Z' || state === 'X' }
}

async function readBootId(): Promise<string | null> {
  if (isLinux) return (await readIfExists('/proc/sys/kernel/random/boot_id'))?.trim() ?? null
  const { code, stdout } = await runProgram('sysctl', ['-n', 'kern.bootsessionuuid'], { cwd: '/' })
  return code === 0 ? stdout.toString().trim() : null
}
