/**
 * The bell: a small file beside the store, touched after a commit. Watching it wakes another process in a fraction of
 * a millisecond and costs nothing while nothing happens. Never the database file itself: it changes too early, and
 * opening it here would drop this process's locks.
 */
import { closeSync, openSync, utimesSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

export const bellOf = (databasePath: string): string => join(dirname(databasePath), 'bell')

/** Makes the bell if it is not there. Called where the store is created. */
export const hangBell = (path: string): void => closeSync(openSync(path, 'a', 0o600))

/** A bell that cannot be rung never undoes a commit: watchers look by themselves every second. */
export function ringBell(path: string): void {
  const now = Date.now() / 1000
  try {
    utimesSync(path, now, now)
  } catch {
    // Gone or not ours to touch; the safety net of every watcher covers it.
  }
}

export interface Listening {
  stop(): void
}

/** Calls back on every ring, and once a second when `changed` says that something happened unheard. */
export function listen(path: string, onRing: () => void, changed: () => boolean): Listening {
  let watcher = tryWatch(path, onRing)
  const net = setInterval(() => {
    watcher ??= tryWatch(path, onRing)
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

function tryWatch(path: string, onRing: () => void): ReturnType<typeof watch> | null {
  try {
    const watcher = watch(path, { persistent: false }, onRing)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
