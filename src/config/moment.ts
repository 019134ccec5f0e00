import { parseDuration } from '../core/duration.ts'

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const CLOCK = /^(?:(today|tomorrow)(?: +(?:at +)?)?)?(?:(\d{1,2}):(\d{2}))?$/

/**
 * Parses a point in time into milliseconds. The text may be a local time: `2026-11-30`, `2026-11-30T09:00`, `09:00`
 * (the next such time), `tomorrow 9:00`, `+2h` or `in 2h`. It may also be a full ISO time with its zone. Returns null
 * for any other text.
 */
export function parseMoment(text: string, now: number): number | null {
  const typed = text.trim()
  const ahead = /^(?:\+|in +)(.+)$/i.exec(typed)
  if (ahead) {
    const ms = parseDuration(ahead[1] ?? '')
    return ms === null ? null : now + ms
  }
  if (/(?:Z|[+-]\d{2}:?\d{2})$/i.test(typed) && /^\d{4}-\d{2}-\d{2}T/i.test(typed)) return finite(Date.parse(typed))
  const day = DAY.exec(typed)
  return day ? onDay(day) : byClock(CLOCK.exec(typed.toLowerCase()), now)
}

function onDay([, year, month, date, hours = '0', minutes = '0', seconds = '0']: RegExpExecArray): number | null {
  const at = new Date(Number(year), Number(month) - 1, Number(date), Number(hours), Number(minutes), Number(seconds))
  // Whether the date exists. `Date` turns 31 February into 3 March, but a user who types 31 February made a mistake.
  const isRealTime =
    at.getMonth() === Number(month) - 1 &&
    at.getDate() === Number(date) &&
    [hours, minutes, seconds].every((part, at) => Number(part) < (at === 0 ? 24 : 60))
  return isRealTime ? finite(at.getTime()) : null
}

function byClock(found: RegExpExecArray | null, now: number): number | null {
  if (found === null || (found[1] === undefined && found[2] === undefined)) return null
  const [, word, hours = '0', minutes = '0'] = found
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  const at = new Date(now)
  at.setHours(Number(hours), Number(minutes), 0, 0)
  if (word === 'tomorrow' || (word === undefined && at.getTime() <= now)) at.setDate(at.getDate() + 1)
  return at.getTime()
}

const finite = (ms: number): number | null => (Number.isFinite(ms) && ms >= 0 ? ms : null)
