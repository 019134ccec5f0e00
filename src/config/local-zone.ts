import { LOOK_AHEAD_MS } from '../core/gates/active-hours.ts'
import type { LocalZone } from '../core/gates/active-hours.ts'

/** The time zone of this machine: the offset at `now`, and its next change within `LOOK_AHEAD_MS`. */
export function localZone(now: number, offsetAt: (at: number) => number = systemOffset): LocalZone {
  const offsetMinutes = offsetAt(now)
  const end = now + LOOK_AHEAD_MS
  if (offsetAt(end) === offsetMinutes) return { offsetMinutes, change: null }
  let [before, after] = [now, end]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle) === offsetMinutes) before = middle
    else after = middle
  }
  return { offsetMinutes, change: { at: after, offsetMinutes: offsetAt(after) } }
}

/** The offset of local time from UTC, in minutes. */
const systemOffset = (at: number): number => -new Date(at).getTimezoneOffset()

/** The name of the time zone of this machine, such as `Europe/Berlin`. */
export const localZoneName = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
