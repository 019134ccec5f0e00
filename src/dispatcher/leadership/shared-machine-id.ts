/**
 * Detects two machines with the same id, such as copies of one image, or two containers with one data folder. They
 * cannot see each other's processes, so only one may be active. If this machine cannot see the holder of the lease, the
 * holder may also be this machine's own dispatcher from before a reboot. The lease of such a dispatcher expires, while
 * a second machine renews its lease.
 */
import type { Dispatcher } from '../../core/limits/lease.ts'
import { BoardError } from '../../core/errors.ts'
import { inHome } from '../../config/home.ts'
import type { Store } from '../../storage/store.ts'
import { livenessOf } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'

type Held = Pick<Dispatcher, 'tokenHash' | 'leaseUntil'>

/** Remembers the holder of the lease between two attempts to become active. */
export class HolderWatch {
  #last: Held | null = null

  /** Whether the holder has renewed its lease since the last attempt. */
  hasRenewed({ tokenHash, leaseUntil }: Held): boolean {
    const last = this.#last
    this.#last = { tokenHash, leaseUntil }
    return last !== null && last.tokenHash === tokenHash && leaseUntil > last.leaseUntil
  }
}

interface MachineCandidate {
  readonly store: Pick<Store, 'engine'>
  readonly host: Host
  readonly home: string
  readonly holderWatch?: HolderWatch
}

/**
 * The error if the holder may be on another machine. Null means that the holder is a dispatcher that this machine can
 * see.
 */
export function unseenHolderError(candidate: MachineCandidate, holder: Dispatcher): BoardError | null {
  const { store, host, holderWatch } = candidate
  const { machine, identity, leaseUntil } = holder
  if (livenessOf(host, identity, store) !== 'unseen') return null
  const other: Other = { machine, hostname: identity.hostname ?? null, pid: identity.pid }
  if (holderWatch?.hasRenewed(holder) === true) return sharedIdError(candidate, other)
  return new BoardError(
    'dispatcher_superseded',
    `Another Muster (${describe(other)}) uses the id ${machine} of this machine (${ownName(host)}), and its process cannot be seen from here. If this machine or container was just restarted, try again in a moment. If another machine has the same id, ${remedyFor(candidate)}`,
    { details: { ...other, leaseUntil } },
  )
}

interface Other {
  readonly machine: string
  readonly hostname: string | null
  readonly pid: number
}

/** The error that names both machines with the same id. */
export function sharedIdError(candidate: MachineCandidate, { machine, hostname, pid }: Other): BoardError {
  const other: Other = { machine, hostname, pid }
  return new BoardError(
    'machine_id_shared',
    `Two machines use the id ${machine}: this one (${ownName(candidate.host)}) and another (${describe(other)}). To fix it, ${remedyFor(candidate)}`,
    { details: { ...other } },
  )
}

const describe = ({ hostname, pid }: Other): string => `${hostname ?? 'unknown host'}, pid ${pid}`

const ownName = ({ machine }: Host): string => machine.hostname ?? 'this machine'

const remedyFor = ({ home }: MachineCandidate): string =>
  `give one of them its own id: regenerate /etc/machine-id there, or write another id into ${inHome.machineId(home)}. Then start Muster again.`
