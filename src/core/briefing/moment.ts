/** Formats times and durations as text. */

/** The largest time that a Date can hold. */
const LAST_MOMENT = 8_640_000_000_000_000

export const minute = (at: number): string =>
  Math.abs(at) <= LAST_MOMENT ? `${new Date(at).toISOString().slice(0, 16)}Z` : '(unknown time)'

export const timeAndAge = (at: number, now: number): string => `${minute(at)}, ${age(now - at)}`

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The age of a time, in one unit. A time in the future counts as "just now", because clocks may step back. */
const age = (ms: number): string => (ms < MINUTE ? 'just now' : `${wholeSpan(ms)} ago`)

export function wholeSpan(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} d`
}
