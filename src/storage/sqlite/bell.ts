/**
 * The bell is a small file beside the store. A process rings it after a commit by setting its modification time.
 * Processes that watch the bell wake up in a fraction of a millisecond, and watching costs nothing while nothing
 * changes. The database file itself cannot be the bell: it changes before the commit, and opening it here would drop
 * the locks of the process.
 */
import { closeSync, futimesSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'

export const bellOf = (databasePath: string): string => join(dirname(databasePath), 'bell')

/** Creates the bell file if it does not exist, when a store is created. */
export const createBell = (path: string): void => closeSync(openSync(path, 'a', 0o600))

/**
 * The time for which a file handle is used. Another process may replace the bell file, and watchers then watch the new
 * file.
 */
const HANDLE_MS = 1_000

/**
 * Rings through an open handle, which takes a third of the time of ringing by path. Errors are ignored: the commit is
 * done, and watchers also poll every second.
 */
export class Bell {
  readonly #path: string
  #handle: number | null = null
  #openedAt = 0

  constructor(path: string) {
    this.#path = path
  }

  ring(): void {
    const now = Date.now()
    try {
      if (Math.abs(now - this.#openedAt) > HANDLE_MS) this.close()
      this.#handle ??= this.#open(now)
      futimesSync(this.#handle, now / 1000, now / 1000)
    } catch {
      // The bell file is missing, or this user may not write to it.
      this.close()
    }
  }

  #open(now: number): number {
    this.#openedAt = now
    return openSync(this.#path, 'r+')
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle)
    this.#handle = null
  }
}

/** Rings once, without an open handle. */
export function ringBell(path: string): void {
  const bell = new Bell(path)
  bell.ring()
  bell.close()
}

export interface Listening {
  stop(): void
}

/** Calls back on every ring. In case a ring was lost, calls back once a second if `changed` reports a commit. */
export function listen(path: string, onRing: () => void, changed: () => boolean): Listening {
  let watcher: ReturnType<typeof watch> | null = null
  const start = (): void => {
    watcher ??= tryWatch(path, onRing, () => (watcher = null))
  }
  start()
  const timer = setInterval(() => {
    start()
    if (changed()) onRing()
  }, 1000)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      watcher?.close()
    },
  }
}

function tryWatch(path: string, onRing: () => void, onLost: () => void): ReturnType<typeof watch> | null {
  try {
    const watcher = watch(path, { persistent: false }, onRing)
    watcher.on('error', () => {
      watcher.close()
      onLost()
    })
    return watcher
  } catch {
    return null
  }
}
