/**
 * Identifies processes and finds out whether they are alive. Zombies and processes of an earlier boot count as dead.
 */
import { ownEnvironment } from '../config/environment.ts'
import { homeOf } from '../config/home.ts'
import { machineSource, processTable } from '../config/system.ts'
import { BoardError } from '../core/errors.ts'
import type { Identity } from '../core/run.ts'
import { linuxProcesses } from './linux-processes.ts'
import { macProcesses } from './mac-processes.ts'
import type { Machine, MachineSource } from './machine.ts'
import { describeMachine, linuxMachine, macMachine } from './machine.ts'
import { withStoredId } from './machine-id-file.ts'
import type { ProcessTable } from './process-table.ts'

export interface Host {
  readonly machine: Machine
  readonly processes: ProcessTable
}

interface HostOptions {
  readonly platform?: NodeJS.Platform
  /** The data folder that may contain a stored machine id. Null means that the system's id is used. */
  readonly home?: string | null
}

export function thisHost({ platform = process.platform, home = ownHome() }: HostOptions = {}): Host {
  const identified = (host: Host): Host =>
    home === null ? host : { ...host, machine: withStoredId(host.machine, home) }
  if (platform === 'linux') return identified(hostOf(linuxMachine, linuxProcesses))
  if (platform === 'darwin') return identified(hostOf(macMachine, macProcesses))
  throw new BoardError(
    'not_supported',
    `Muster runs agents on Linux and macOS, not on ${platform}: on Windows use WSL.`,
  )
}

/**
 * Describes this machine. Returns null on a system that cannot run agents, because commands that only read still work
 * there.
 */
export function hostIfSupported(): Host | null {
  try {
    return thisHost()
  } catch {
    return null
  }
}

/**
 * The data folder of this process. Returns null if the folder is unknown; the code that needs the folder reports the
 * error.
 */
function ownHome(): string | null {
  try {
    return homeOf(ownEnvironment())
  } catch {
    return null
  }
}

const hostOf = (source: MachineSource, processes: ProcessTable): Host => ({
  machine: describeMachine(machineSource(source)),
  processes: processTable(processes),
})

export function identify(host: Host, pid: number): Identity | null {
  const found = host.processes.read(pid)
  if (found === null) return null
  const { id, bootId, pidNamespace } = host.machine
  return { machine: id, bootId, pidNamespace, pid, startTime: found.startTime }
}

/**
 * Identifies one boot of a machine, or one start of a container. The kernel reuses the numbers of pid namespaces, so
 * the start time of the namespace's first process is included.
 */
export function systemOf({ machine: { bootId, pidNamespace }, processes }: Host): string {
  return `${bootId}/${pidNamespace ?? ''}/${processes.read(1)?.startTime ?? ''}`
}

export function ownIdentity(host: Host): Identity {
  const own = identify(host, process.pid)
  if (own === null) throw new BoardError('internal', 'This process cannot find itself in the process table.')
  return own
}

/**
 * Whether the process is alive. The result is also false if this machine cannot see the process. Use `livenessOf` to
 * distinguish the two cases.
 */
export const isAlive = (host: Host, identity: Identity): boolean =>
  livenessOf(host, identity, { engine: 'sqlite' }) === 'alive'

/**
 * `unseen` means that the process is on another machine or in another container. In that case, only its lease shows
 * whether the process is alive.
 */
export type Liveness = 'alive' | 'dead' | 'unseen'

/**
 * Whether a process is alive, as far as this machine can see. A SQLite store belongs to one machine, so another boot id
 * means that the machine was restarted and the process is dead. On PostgreSQL, another boot id may also mean a second
 * machine with a copied machine id. Processes of another container cannot be seen, because each container has its own
 * pids.
 */
export function livenessOf(host: Host, identity: Identity, { engine }: { engine: 'sqlite' | 'postgres' }): Liveness {
  const { id, bootId, pidNamespace } = host.machine
  if (identity.machine !== id) return 'unseen'
  if (identity.bootId !== bootId) return engine === 'sqlite' ? 'dead' : 'unseen'
  if (identity.pidNamespace !== pidNamespace) return 'unseen'
  const found = host.processes.read(identity.pid)
  return found !== null && !found.zombie && found.startTime === identity.startTime ? 'alive' : 'dead'
}
