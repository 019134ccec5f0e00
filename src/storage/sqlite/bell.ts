/**
 * The bell: a small file beside the store, touched after a commit. Watching it wakes another process in a fraction of
 * a millisecond and costs nothing while nothing happens. Never the database file itself: it changes too early, and
 * opening it here would drop this process's locks.
 */
import { closeSync, futimesSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'

export const bellOf = (databasePath: string): string => join(dirname(databasePath), 'bell')

/** Makes the bell if it is not there. Called where the store is created. */
export const hangBell = (path: string): void => closeSync(openSync(path, 'a', 0o600))

/** How long a handle is trusted to lead to the file that others watch: somebody may have put a new one in its place. */
const HANDLE_MS = 1_000

/**
 * Rings through an open handle, which takes a third of the time that ringing by path does. A bell that cannot be rung
 * never undoes a commit: watchers look by themselves every second.
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
      // Gone or not ours to touch.
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

/** For those who ring once. */
export function ringBell(path: string): void {
  const bell = new Bell(path)
  bell.ring()
  bell.close()
}

export interface Listening {
  stop(): void
}

/** Calls back on every ring, and once a second when `changed` says that something happened unheard. */
export function listen(path: string, onRing: () => void, changed: () => boolean): Listening {
  let watcher: ReturnType<typeof watch> | null = null
  const start = (): void => {
    watcher ??= tryWatch(path, onRing, () => (watcher = null))
  }
  start()
  const net = setInterval(() => {
    start()
    if (changed()) onRing()
  }, 1000)
  net.unref()
  return {
    stop() {
      clearInterval(net)
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
