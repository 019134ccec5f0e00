/** Identifies a process and checks whether it is alive. After a pid reuse or a reboot it is dead; so is a zombie. */
import { ownEnvironment } from '../config/environment.ts'
import { homeOf } from '../config/home.ts'
import { machineSource, processTable } from '../config/system.ts'
import { BoardError } from '../core/errors.ts'
import type { Identity } from '../core/run.ts'
import { linuxProcesses } from './linux-processes.ts'
import { macProcesses } from './mac-processes.ts'
import type { Machine, MachineSource } from './machine.ts'
import { describeMachine, linuxMachine, macMachine } from './machine.ts'
import { withKeptId } from './machine-id-file.ts'
import type { ProcessTable } from './process-table.ts'

export interface Host {
  readonly machine: Machine
  readonly processes: ProcessTable
}

interface Where {
  readonly platform?: NodeJS.Platform
  /** The data folder that may store the id of this machine; null: none. */
  readonly home?: string | null
}

export function thisHost({ platform = process.platform, home = ownHome() }: Where = {}): Host {
  const kept = (host: Host): Host => (home === null ? host : { ...host, machine: withKeptId(host.machine, home) })
  if (platform === 'linux') return kept(hostOf(linuxMachine, linuxProcesses))
  if (platform === 'darwin') return kept(hostOf(macMachine, macProcesses))
  throw new BoardError(
    'not_supported',
    `Muster runs agents on Linux and macOS, not on ${platform}: on Windows use WSL.`,
  )
}

/** Null on a system that cannot run agents: commands that only read still work there. */
export function hostIfSupported(): Host | null {
  try {
    return thisHost()
  } catch {
    return null
  }
}

/** Null when it is unknown; the code that needs the data folder reports that. */
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
 * The system in which this process runs: one boot of a machine, or one start of a container. The kernel gives the number
 * of a pid namespace to a later one, but the first process of each has a start time of its own.
 */
export function systemOf({ machine: { bootId, pidNamespace }, processes }: Host): string {
  return `${bootId}/${pidNamespace ?? ''}/${processes.read(1)?.startTime ?? ''}`
}

/** The identity of this process, which certainly exists. */
export function ownIdentity(host: Host): Identity {
  const own = identify(host, process.pid)
  if (own === null) throw new BoardError('internal', 'This process cannot find itself in the process table.')
  return own
}

/** Whether that very process is alive. Also false if it cannot be seen from here: see `sightOf`. */
export const isAlive = (host: Host, identity: Identity): boolean =>
  sightOf(host, identity, { engine: 'sqlite' }) === 'alive'

/** `unseen`: the process may be alive, but its pid means nothing here, so only its lease counts. */
export type Sight = 'alive' | 'dead' | 'unseen'

/**
 * What this machine can see of a process. A SQLite store belongs to one machine, so another boot id means a restart, and
 * the process is dead. On PostgreSQL it may also mean a second machine with a copied machine id. Another container of this
 * machine has its own pids.
 */
export function sightOf(host: Host, identity: Identity, { engine }: { engine: 'sqlite' | 'postgres' }): Sight {
  const { id, bootId, pidNamespace } = host.machine
  if (identity.machine !== id) return 'unseen'
  if (identity.bootId !== bootId) return engine === 'sqlite' ? 'dead' : 'unseen'
  if (identity.pidNamespace !== pidNamespace) return 'unseen'
  const found = host.processes.read(identity.pid)
  return found !== null && !found.zombie && found.startTime === identity.startTime ? 'alive' : 'dead'
}
