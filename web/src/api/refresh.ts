/**
 * Decides when stale queries are read again: at once after a quiet period, but at most once every `GAP_MS` during a
 * burst of events.
 */
import { hashKey } from '@tanstack/react-query'
import type { Key } from './keys.ts'

/**
 * The minimum time between two refreshes. Reading a board of 450 cards takes about 20 ms, so the browser stays
 * responsive.
 */
export const GAP_MS = 150

export interface Refresher {
  /** Marks keys as stale. Their queries are refreshed together, in the next frame. */
  add(stale: readonly Key[]): void
  stop(): void
}

interface Clock {
  readonly now: () => number
  /** Calls back in the next frame. In a hidden tab, which has no frames, calls back soon. */
  readonly nextFrame: (callback: () => void) => void
  readonly later: (callback: () => void, ms: number) => () => void
}

export function makeRefresher(refresh: (key: Key) => Promise<void>, clock: Clock): Refresher {
  const waiting = new Map<string, Key>()
  const nextAt = new Map<string, number>()
  const running = new Set<string>()
  let cancel = (): void => {}
  let isPlanned = false

  const start = (hash: string, key: Key): void => {
    waiting.delete(hash)
    running.add(hash)
    void refresh(key)
      // The error is ignored here, because the query itself shows it.
      .catch(() => {})
      .finally(() => {
        running.delete(hash)
        nextAt.set(hash, clock.now() + GAP_MS)
        plan()
      })
  }
  const flush = (): void => {
    isPlanned = false
    for (const [hash, key] of waiting)
      if (!running.has(hash) && (nextAt.get(hash) ?? 0) <= clock.now()) start(hash, key)
    plan()
  }
  const plan = (): void => {
    const free = [...waiting.keys()].filter((hash) => !running.has(hash))
    if (isPlanned || free.length === 0) return
    isPlanned = true
    const wait = Math.min(...free.map((hash) => nextAt.get(hash) ?? 0)) - clock.now()
    if (wait <= 0) clock.nextFrame(flush)
    else cancel = clock.later(flush, wait)
  }
  return {
    add(stale) {
      for (const key of stale) waiting.set(hashKey(key), key)
      plan()
    },
    stop() {
      waiting.clear()
      cancel()
    },
  }
}

/** The clock of the page, which tests can replace. */
export const pageClock: Clock = {
  now: () => performance.now(),
  nextFrame: (callback) =>
    void (document.visibilityState === 'visible' ? requestAnimationFrame(callback) : setTimeout(callback, 100)),
  later(callback, ms) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
