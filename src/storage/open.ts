/** Opens a store of either engine. */
import type { Store } from './store.ts'
import type { StoreLocation } from './location.ts'

export interface OpenOptions {
  /**
   * `create` makes the store if it does not exist (init and the first writing verb). `write` and `read` need an
   * existing store. `read` writes nothing, not even when it opens the store.
   */
  readonly mode: 'create' | 'write' | 'read'
  /** The clock of an embedded store. A server has its own clock. */
  readonly clock?: () => number
  /** Added to the clock of either engine, so that tests can move time in other processes. */
  readonly shift?: () => number
  /**
   * The program of a thread that runs an embedded store, for callers whose event loop must not block. The thread has
   * its own clock. A store on a server ignores this.
   */
  readonly thread?: string
}

/** Loads only the engine that is used, so that SQLite users never load the PostgreSQL client. */
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
