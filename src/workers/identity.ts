/** Who a process is, and whether it still lives. A reused pid, a reboot or a zombie is not the same process alive. */
import { testWorld } from '../config/test-world.ts'
import { BoardError } from '../core/errors.ts'
import type { Identity } from '../core/run.ts'
import { alteredMachine, alteredProcesses } from './altered-host.ts'
import { linuxProcesses } from './linux-processes.ts'
import { macProcesses } from './mac-processes.ts'
import type { Machine, MachineSource } from './machine.ts'
import { describeMachine, linuxMachine, macMachine } from './machine.ts'
import type { ProcessTable } from './process-table.ts'

export interface Host {
  readonly machine: Machine
  readonly processes: ProcessTable
}

export function thisHost(platform: NodeJS.Platform = process.platform): Host {
  if (platform === 'linux') return hostOf(linuxMachine, linuxProcesses)
  if (platform === 'darwin') return hostOf(macMachine, macProcesses)
  throw new BoardError(
    'not_supported',
    `Muster runs agents on Linux and macOS, not on ${platform}: on Windows use WSL.`,
  )
}

const hostOf = (source: MachineSource, processes: ProcessTable): Host => ({
  machine: describeMachine(alteredMachine(source, testWorld)),
  processes: alteredProcesses(processes, testWorld),
})

export function identify(host: Host, pid: number): Identity | null {
  const found = host.processes.read(pid)
  if (found === null) return null
  const { id, bootId, pidNamespace } = host.machine
  return { machine: id, bootId, pidNamespace, pid, startTime: found.startTime }
}

/** The identity of this process, which certainly exists. */
export function ownIdentity(host: Host): Identity {
  const own = identify(host, process.pid)
  if (own === null) throw new BoardError('internal', 'This process cannot find itself in the process table.')
  return own
}

/** Whether that very process lives. Meant for identities of this machine: of another it knows nothing. */
export function isAlive(host: Host, identity: Identity): boolean {
  if (identity.machine !== host.machine.id || identity.bootId !== host.machine.bootId) return false
  const found = host.processes.read(identity.pid)
  return found !== null && !found.zombie && found.startTime === identity.startTime
}
