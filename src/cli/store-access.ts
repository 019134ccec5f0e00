/** Opens the store for one command, at most once for each mode. Creates the data folder if the command may do so. */
import type { Options } from '../config/load.ts'
import { clockShiftMs } from '../config/system.ts'
import { BoardError } from '../core/errors.ts'
import { describeLocation, parseLocation } from '../storage/location.ts'
import type { StoreLocation } from '../storage/location.ts'
import { openStore } from '../storage/open.ts'
import type { Store } from '../storage/store.ts'
import { shellWord } from '../util/shell-word.ts'
import { refuseInsideRun } from './supervisor-client.ts'
import { fileIdentity } from './watch-data-folder.ts'

export type Mode = 'read' | 'write'

/** The way in which a command uses its store. */
export interface StoreNeeds {
  /** Whether the command creates the data folder, the store and the first board if they are missing. */
  readonly makesHome?: boolean
  /** Whether the command is long-running. The store of such a command is opened in a thread. */
  readonly longRunning?: boolean
}

export interface StoreHost {
  readonly options: Options
  readonly thread: string | undefined
  readonly makeHome: () => Promise<void>
  readonly notice: (text: string) => void
}

export class StoreAccess {
  readonly #host: StoreHost
  readonly #needs: StoreNeeds
  #opened: { readonly mode: Mode; readonly store: Promise<Store> } | null = null
  /**
   * The identity of the store's file, in a long-running command. The identity shows whether another file has replaced
   * the store.
   */
  #file: string | null = null

  constructor(host: StoreHost, needs: StoreNeeds) {
    this.#host = host
    this.#needs = needs
  }

  readonly open = async (mode: Mode | 'create'): Promise<Store> => {
    refuseInsideRun(this.#host.options)
    const location = parseLocation(this.#host.options.store)
    const thread = this.#needs.longRunning ? this.#host.thread : undefined
    try {
      return await openStore(location, { mode, shift: clockShiftMs, ...(thread !== undefined && { thread }) })
    } catch (error) {
      if (!isMissing(error)) throw error
      const lost = await this.#lostStore(location)
      const details = { ...error.details, hasBackup: lost !== null }
      throw new BoardError('store_missing', lost ?? noBoardYet(location), { details, cause: error })
    }
  }

  /**
   * Returns the same store to all callers. The promise is saved before anything is awaited. `check` runs before a data
   * folder is created, so that invalid input creates no folder.
   */
  shared(mode: Mode, check?: () => Promise<unknown>): Promise<Store> {
    const before = this.#opened
    if (before !== null && (mode === 'read' || before.mode === 'write')) return before.store
    const closed = this.close()
    const store = closed.then(() => (this.#needs.makesHome ? this.#openOrMakeHome(mode, check) : this.open(mode)))
    const opened = { mode, store }
    this.#opened = opened
    // The next caller opens the store again, because this attempt failed.
    store.catch(() => {
      if (this.#opened === opened) this.#opened = null
    })
    return store
  }

  /**
   * Opens the store for a long-running command. The store is opened again if opening failed, or if another file
   * replaced the store, because changes to a deleted file would be lost.
   */
  async lasting({ makesHome }: { makesHome: boolean }): Promise<Store> {
    for (;;) {
      const before = this.#opened
      const store = (await before?.store.catch(() => null)) ?? null
      if (store !== null && fileAt(this.#host.options.store) === this.#file) return store
      if (this.#opened !== before) continue
      const opening = makesHome ? this.#openOrMakeHome('write') : this.open('write')
      const opened = opening.then((store) => {
        this.#file = fileAt(this.#host.options.store)
        return store
      })
      // The old store stays open for calls that still use it.
      this.#opened = { mode: 'write', store: opened }
      await opened
    }
  }

  async close({ exiting = false } = {}): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    // The error is ignored, because the caller that opened the store gets it.
    const store = await opened?.store.catch(() => null)
    await store?.close({ exiting })
  }

  async #openOrMakeHome(mode: Mode, check?: () => Promise<unknown>): Promise<Store> {
    try {
      return await this.open(mode)
    } catch (error) {
      if (!isMissing(error)) throw error
      await check?.()
      const lost = await this.#lostStore(parseLocation(this.#host.options.store))
      if (lost !== null) this.#host.notice(`${lost}\nUntil then Muster uses a new, empty store.`)
      await this.#host.makeHome()
      return this.open(mode)
    }
  }

  /**
   * The error if the store is missing but the folder has backups. Such a folder had a store before, so the message
   * suggests restoring a backup.
   */
  async #lostStore(location: StoreLocation): Promise<string | null> {
    if (location.engine !== 'sqlite') return null
    const { backupsIn } = await import('../operations/backups/backups.ts')
    const [newest] = await backupsIn(this.#host.options.home)
    if (newest === undefined) return null
    return `The store ${describeLocation(location)} is missing. Put the file back, or restore the newest backup: muster backup restore ${shellWord(newest.name)} --yes`
  }
}

/**
 * The identity of a file, which stays the same if only its path changes. Null means that the store is not a local file.
 */
function fileAt(store: string): string | null {
  const location = parseLocation(store)
  return location.engine === 'sqlite' ? fileIdentity(location.path) : null
}

const noBoardYet = (location: StoreLocation): string =>
  `There is no board yet at ${describeLocation(location)}. Create your first card with muster create "<title>", or run muster init.`

const isMissing = (error: unknown): error is BoardError => error instanceof BoardError && error.code === 'store_missing'
