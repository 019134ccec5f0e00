/** Opens a store of either engine. */
import type { Store } from './store.ts'
import type { StoreLocation } from './location.ts'

export interface OpenOptions {
  /**
   * `create` makes the store if it does not exist. Only `init` and the first command that writes use this mode. The
   * modes `write` and `read` need an existing store. In the mode `read`, nothing is written, not even when the store is
   * opened.
   */
  readonly mode: 'create' | 'write' | 'read'
  /** The clock of a store in a file. A server has its own clock. */
  readonly clock?: () => number
  /** The milliseconds to add to the engine's clock, so that tests can move the time in other processes. */
  readonly shift?: () => number
  /**
   * The program of a thread that opens a store in a file, for callers whose event loop must not block. The thread has
   * its own clock. A store on a server ignores this option.
   */
  readonly thread?: string
}

/** Opens a store and loads only the code of its engine. So users of SQLite never load the PostgreSQL client. */
export async function openStore(location: StoreLocation, options: OpenOptions): Promise<Store> {
  if (location.engine === 'sqlite' && options.thread !== undefined) {
    const { openInThread } = await import('./sqlite/threaded-store.ts')
    return openInThread(options.thread, { path: location.path, mode: options.mode })
  }
  if (location.engine === 'sqlite') {
    const { openSqlite } = await import('./sqlite/open.ts')
    return openSqlite(location.path, options)
  }
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(location, options)
}
