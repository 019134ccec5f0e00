import type { Store } from '../storage/store.ts'
import { isAlive } from '../workers/identity.ts'
import type { Host } from '../workers/identity.ts'

/** Whether somebody starts what is ready: here for an embedded store, on any machine for a server's. */
export async function isDispatched(store: Store, host: Host | null): Promise<boolean> {
  if (store.engine === 'postgres') {
    const [dispatchers, now] = await Promise.all([store.dispatchers(), store.now()])
    return dispatchers.some(({ leaseUntil }) => leaseUntil > now)
  }
  const dispatcher = host === null ? null : await store.dispatcher(host.machine.id)
  return host !== null && dispatcher !== null && isAlive(host, dispatcher.identity)
}
