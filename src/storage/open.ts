/** The one way to a store. */
import type { Store } from './store.ts'
import type { StoreLocation } from './location.ts'

export interface OpenOptions {
  /**
   * `create`: make the store if it is not there (init and the first writing verb). `write`: it must be there.
   * `read`: it must be there and is not written, not even by opening it.
   */
  readonly mode: 'create' | 'write' | 'read'
  /** The clock of an embedded store; a server brings its own. */
  readonly clock?: () => number
  /** Added to the clock, whosever it is: how a test moves time under processes that it does not run itself. */
  readonly shift?: () => number
  /**
   * The program of a thread that keeps an embedded store, for whoever must not wait in place while it works; it brings
   * its own clock. A server does that anyway.
   */
  readonly thread?: string
}

/** Each engine is loaded only when it is used: a laptop never pays for the PostgreSQL client. */
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
