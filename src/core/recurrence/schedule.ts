/** Parses schedules: `every 2h`, a cron expression, or words such as `weekdays 09:00`. */
import type { Schedule, ScheduleFault } from './calendar.ts'
import { parseCron } from './cron.ts'
import { parseDayWords } from './day-words.ts'
import { SCHEDULE_EXAMPLES } from './schedule-examples.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY }
const LONGEST_MS = 366 * DAY
const INTERVAL = /^every (\d{1,6}) ?(m|min|minutes?|h|hours?|d|days?|w|weeks?)$/
const TEXT_MAX = 200

/** Parses a schedule. If it is not valid, returns a description of the error. */
export function parseSchedule(text: string): Schedule | ScheduleFault {
  if (text.length > TEXT_MAX) return { fault: `is longer than ${TEXT_MAX} characters` }
  const typed = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (typed === '') return { fault: `is empty: write ${SCHEDULE_EXAMPLES}` }
  const [, count, unit] = INTERVAL.exec(typed) ?? []
  if (count !== undefined && unit !== undefined) return parseInterval(Number(count), unit)
  if (/^every \d+ ?[a-z]+$/.test(typed))
    return { fault: 'is not an interval: write every 30m, every 2h, every 1d or every 2w; the shortest is every 1m' }
  return /^[\d*@]/.test(typed) ? parseCron(typed) : parseDayWords(typed)
}

function parseInterval(count: number, unit: string): Schedule | ScheduleFault {
  const everyMs = count * (UNITS[unit.charAt(0)] ?? 0)
  if (everyMs < MINUTE) return { fault: 'is too short: the shortest interval is every 1m' }
  if (everyMs > LONGEST_MS) return { fault: 'is too long: the longest interval is every 366d' }
  return { kind: 'interval', everyMs }
}

export function scheduleFault(text: string): string | null {
  const parsed = parseSchedule(text)
  return 'fault' in parsed ? parsed.fault : null
}
