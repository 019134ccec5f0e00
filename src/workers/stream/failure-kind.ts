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
  message: message.slice(0, 2_000),
  retryAt,
})

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

const DAY_MS = 86_400_000

/** By the clock of this machine, as whoever said it read it: today's, unless that is over, or of the day that is named. */
function momentIn(message: string, now: number): number | null {
  const [, day, year, time] =
    /again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)/.exec(message) ?? []
  if (time === undefined) return null
  if (day !== undefined) return sound(Date.parse(`${day}, ${year} ${time}`))
  const at = sound(Date.parse(`${new Date(now).toDateString()} ${time}`))
  return at === null || at > now ? at : at + DAY_MS
}

const sound = (at: number): number | null => (Number.isNaN(at) ? null : at)
