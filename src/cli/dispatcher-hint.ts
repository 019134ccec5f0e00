/** A ready card on a machine where nothing dispatches would wait without a word. */
import type { Store, TaskView } from '../storage/store.ts'
import { isAlive, thisHost } from '../workers/identity.ts'

/** What to do about it, or null. On a server's store a dispatcher may be anywhere, so nothing is said there. */
export async function dispatcherHint(store: Store, task: TaskView): Promise<string | null> {
  if (store.engine !== 'sqlite' || task.status !== 'ready' || task.assignee === null || task.held) return null
  try {
    const host = thisHost()
    const dispatcher = await store.dispatcher(host.machine.id)
    if (dispatcher !== null && isAlive(host, dispatcher.identity)) return null
    return 'Nothing is dispatching: muster up starts what is ready, and goes on with it.'
  } catch {
    return null // A hint that fails is no reason to trouble anybody.
  }
}
