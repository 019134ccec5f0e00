/**
 * Whether a dispatcher starts ready cards. A live process is not enough: one that is suspended, or cannot write to a full
 * disk, no longer renews its lease.
 */
import type { Store } from '../storage/store.ts'
import { isAlive } from '../workers/identity.ts'
import type { Host } from '../workers/identity.ts'

export type DispatcherState =
  | { readonly is: 'active' | 'absent' }
  /** It is alive on this machine but has not renewed its lease, which ended at `since`. */
  | { readonly is: 'hung'; readonly pid: number; readonly since: number }

/** On SQLite only the dispatcher of this machine counts; on PostgreSQL that of any machine. */
export async function dispatcherState(store: Store, host: Host | null): Promise<DispatcherState> {
  const [all, now] = await Promise.all([store.dispatchers(), store.now()])
  const own = host === null ? undefined : all.find(({ machine }) => machine === host.machine.id)
  const isOwnAlive = host !== null && own !== undefined && isAlive(host, own.identity)
  const elsewhere = store.engine === 'postgres' && all.some((one) => one !== own && one.leaseUntil > now)
  if (elsewhere || (isOwnAlive && own.leaseUntil > now)) return { is: 'active' }
  return isOwnAlive ? { is: 'hung', pid: own.identity.pid, since: own.leaseUntil } : { is: 'absent' }
}
