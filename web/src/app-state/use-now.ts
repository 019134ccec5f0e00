/**
 * The time by the clock of the server, for ages and running clocks. One timer serves all components with the same
 * period.
 */
import { useSyncExternalStore } from 'react'
import { isLive, liveState } from '../api/live-state.ts'
import { serverNow } from '../api/server-clock.ts'

interface Ticker {
  readonly follow: (onTick: () => void) => () => void
  readonly get: () => number
}

function makeTicker(everyMs: number): Ticker {
  const followers = new Set<() => void>()
  let now = serverNow()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = (): void => {
    // Clocks stop while the connection is lost, because the page cannot know whether the cards still run.
    if (!isLive()) return
    now = serverNow()
    for (const onTick of followers) onTick()
  }
  return {
    get: () => now,
    follow(onTick) {
      followers.add(onTick)
      if (timer === undefined) {
        timer = setInterval(tick, everyMs)
        now = serverNow()
      }
      const forget = liveState.follow(tick)
      return () => {
        followers.delete(onTick)
        forget()
        if (followers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

const seconds = makeTicker(1_000)
const halfMinutes = makeTicker(30_000)

/** Returns the current time. A running clock updates every second, an age every minute. */
export function useNow(precision: 'second' | 'minute' = 'minute'): number {
  const { follow, get } = precision === 'second' ? seconds : halfMinutes
  return useSyncExternalStore(follow, get)
}
