/**
 * Detects two machines with the same id: copies of one image, or two containers on one data folder. They cannot see each
 * other's processes, so only one may dispatch. A holder that cannot be seen may also be this machine's dispatcher from
 * before a restart: then its lease ends. A holder that renews its lease is alive.
 */
import type { Dispatcher } from '../core/dispatcher.ts'
import { BoardError } from '../core/errors.ts'
import { inHome } from '../config/home.ts'
import type { Store } from '../storage/store.ts'
import { sightOf } from '../workers/identity.ts'
import type { Host } from '../workers/identity.ts'

type Held = Pick<Dispatcher, 'tokenHash' | 'leaseUntil'>

/** Remembers the holder from one try to the next. */
export class RivalWatch {
  #last: Held | null = null

  /** Whether the holder has renewed its lease since the last try. */
  hasRenewed({ tokenHash, leaseUntil }: Held): boolean {
    const last = this.#last
    this.#last = { tokenHash, leaseUntil }
    return last !== null && last.tokenHash === tokenHash && leaseUntil > last.leaseUntil
  }
}

interface Candidate {
  readonly store: Pick<Store, 'engine'>
  readonly host: Host
  readonly home: string
  readonly rivals?: RivalWatch
}

/** The error if the holder is, or may be, another machine; null if it is an ordinary dispatcher of this one. */
export function sharedIdError({ store, host, home, rivals }: Candidate, holder: Dispatcher): BoardError | null {
  const { machine, identity, leaseUntil } = holder
  if (sightOf(host, identity, store) !== 'unseen') return null
  const other = `${identity.hostname ?? 'unknown host'}, pid ${identity.pid}`
  const own = host.machine.hostname ?? 'this machine'
  const remedy = `Give one of them its own id: regenerate /etc/machine-id there, or write another id into ${inHome.machineId(home)}. Then start Muster again.`
  const details = { machine, hostname: identity.hostname ?? null, pid: identity.pid, leaseUntil }
  if (rivals?.hasRenewed(holder) === true)
    return new BoardError(
      'machine_id_shared',
      `Two machines use the id ${machine}: this one (${own}) and another (${other}). ${remedy}`,
      { details },
    )
  return new BoardError(
    'dispatcher_superseded',
    `Another dispatcher (${other}) uses the id ${machine} of this machine (${own}), and its process cannot be seen from here. If this machine or container was just restarted, try again in a moment. If another machine has the same id: ${remedy}`,
    { details },
  )
}
