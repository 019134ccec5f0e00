import { cut } from '../../core/text.ts'
import type { Failure } from './entry.ts'

/** What a status of the model's server means for the board. */
export function kindOfStatus(status: number | null): Failure['kind'] {
  if (status === 429 || status === 529 || status === 503) return 'rate_limited'
  if (status === 402) return 'billing'
  if (status === 401 || status === 403) return 'auth'
  if (status === 413) return 'context_overflow'
  return 'other'
}

/** For those who tell a limit in words alone. */
export const LIMITED = /\b429\b|rate.?limit|too many requests|quota|usage limit|overloaded|resource.?exhausted/i
/** Likewise a bill, or a credit that is used up. */
export const UNPAID = /credit balance|insufficient.(?:credit|quota|balance|fund)|payment required|\bbilling\b/i
/** Likewise a conversation that is too long, as the makers of models say it. */
export const TOO_LONG =
  /prompt is too long|context (?:window|length)|maximum context|exceeds the maximum number of tokens/i

export const failed = (kind: Failure['kind'], message: string, retryAt: number | null = null): Failure => ({
  kind,
  message: cut(message, 2_000),
  retryAt: retryAt === null ? null : momentAt(retryAt),
})

/** The end of the calendar. */
const LAST_MOMENT = 8_640_000_000_000_000

/** Delays are told in fractions, and in numbers that are no time at all. */
const momentAt = (at: number): number | null => (at >= 0 && at <= LAST_MOMENT ? Math.round(at) : null)

const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const
type Unit = keyof typeof UNITS

/** When to try again, where a message says so: "try again in 2 hours 5 minutes", "retryDelay": "31s", "again at 5:20 PM". */
export const waitIn = (message: string, now: number = Date.now()): number | null =>
  spanIn(message, now) ?? momentIn(message, now)

function spanIn(message: string, now: number): number | null {
  const said =
    /(?:again (?:in|after)|retry (?:in|after)|retryDelay"?:) *"?((?:[\d.]+ ?(?:d|h|m|s)[a-z]*[ ,]*(?:and )?)+)/i.exec(
      message,
    )?.[1]
  if (said === undefined) return null
  const spans = [...said.matchAll(/([\d.]+) ?(ms|[dhms])/gi)]
  const ms = spans.reduce((sum, [, count, unit = 's']) => sum + Number(count) * UNITS[unit.toLowerCase() as Unit], 0)
  return ms > 0 ? now + ms : null
}

const MINUTE_MS = 60_000

/**
 * By the clock of this machine, as whoever said it read it: of the day that is named, else of the day it was said on, so
 * one that is over is not tomorrow's. Seconds are left out, and the minute is waited for to its end.
 */
function momentIn(message: string, now: number): number | null {
  const [, day, year, time] =
    /again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)/.exec(message) ?? []
  if (time === undefined) return null
  const at = Date.parse(day === undefined ? `${new Date(now).toDateString()} ${time}` : `${day}, ${year} ${time}`)
  return Number.isNaN(at) ? null : at + MINUTE_MS
}

/** A moment as programs tell it: in seconds, or in the milliseconds of their language. */
export const momentOf = (told: number): number => (told < SECONDS_END ? told * 1000 : told)

/** As seconds the year 5138, as milliseconds 1973: no reset is told at either. */
const SECONDS_END = 100_000_000_000
