import { cut } from '../../core/text.ts'
import type { Failure } from './entry.ts'

/** Maps a status of the model's server to a kind of failure. */
export function kindOfStatus(status: number | null): Failure['kind'] {
  if (status === 429 || status === 529 || status === 503) return 'rate_limited'
  if (status === 402) return 'billing'
  if (status === 401 || status === 403) return 'auth'
  if (status === 413) return 'context_overflow'
  return 'other'
}

/** Matches limits that a program reports only as text. */
export const LIMITED = /\b429\b|rate.?limit|too many requests|quota|usage limit|overloaded|resource.?exhausted/i
/** Matches messages about an unpaid bill or missing credit. */
export const UNPAID = /credit balance|insufficient.(?:credit|quota|balance|fund)|payment required|\bbilling\b/i
/** Matches messages about a conversation that is too long, as several model providers phrase them. */
export const TOO_LONG =
  /prompt is too long|context (?:window|length)|maximum context|exceeds the maximum number of tokens/i

export const makeFailure = (kind: Failure['kind'], message: string, retryAt: number | null = null): Failure => ({
  kind,
  message: cut(message, 2_000),
  retryAt: retryAt === null ? null : validTime(retryAt),
})

/** The latest time that `Date` can hold. */
const LATEST_TIME = 8_640_000_000_000_000

/**
 * Rounds a time. Returns null if the time is not valid. Programs report fractions of milliseconds, and sometimes
 * impossible times.
 */
const validTime = (at: number): number | null => (at >= 0 && at <= LATEST_TIME ? Math.round(at) : null)

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const
type Unit = keyof typeof UNITS

/**
 * Finds the retry time in a message, such as "try again in 2 hours 5 minutes", "retryDelay": "31s" or "again at 5:20
 * PM".
 */
export const retryTimeIn = (message: string, now: number = Date.now()): number | null =>
  delayIn(message, now) ?? clockTimeIn(message, now)

function delayIn(message: string, now: number): number | null {
  const delay =
    /(?:again (?:in|after)|retry (?:in|after)|retryDelay"?:) *"?((?:[\d.]+ ?(?:d|h|m|s)[a-z]*[ ,]*(?:and )?)+)/i.exec(
      message,
    )?.[1]
  if (delay === undefined) return null
  const spans = [...delay.matchAll(/([\d.]+) ?(ms|[dhms])/gi)]
  const ms = spans.reduce((sum, [, count, unit = 's']) => sum + Number(count) * UNITS[unit.toLowerCase() as Unit], 0)
  return ms > 0 ? now + ms : null
}

const MINUTE_MS = 60_000

/**
 * Parses a local time, on the named day or today. A time that has passed today is not moved to tomorrow. Messages leave
 * out the seconds, so the result is the end of the minute.
 */
function clockTimeIn(message: string, now: number): number | null {
  const [, day, year, time] =
    /again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)/.exec(message) ?? []
  if (time === undefined) return null
  const at = Date.parse(day === undefined ? `${new Date(now).toDateString()} ${time}` : `${day}, ${year} ${time}`)
  return Number.isNaN(at) ? null : at + MINUTE_MS
}

/** Converts a time in seconds or milliseconds to milliseconds. */
export const toMilliseconds = (time: number): number => (time < SECONDS_END ? time * 1000 : time)

/**
 * The limit between seconds and milliseconds: smaller numbers are seconds, larger numbers are milliseconds. No reset
 * time is near this number, which is the year 5138 in seconds and 1973 in milliseconds.
 */
const SECONDS_END = 100_000_000_000
