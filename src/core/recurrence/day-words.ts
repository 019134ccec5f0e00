/** Parses schedules in words: `daily 7:30`, `weekdays 09:00, 17:00`, `mondays 9:00`, `mon-fri at 18:00`. */
import { ALL_MONTHS, ALL_MONTH_DAYS, ALL_WEEK_DAYS, DAY_NAMES, numbers } from './calendar-fields.ts'
import { SCHEDULE_EXAMPLES } from './schedule-examples.ts'
import type { Calendar, ScheduleFault } from './calendar.ts'

const GROUPS: Readonly<Record<string, readonly number[]>> = {
  day: numbers(0, 6),
  days: numbers(0, 6),
  daily: numbers(0, 6),
  weekday: numbers(1, 5),
  weekdays: numbers(1, 5),
  weekend: [0, 6],
  weekends: [0, 6],
}

const LONG_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

export function parseDayWords(typed: string): Calendar | ScheduleFault {
  if (typed === 'hourly' || typed === 'every hour') return calendar(numbers(0, 23 * 60, 60), ALL_WEEK_DAYS)
  const split = typed.search(/\d/)
  if (split === -1) return { fault: `${typed} has no time: write ${SCHEDULE_EXAMPLES}` }
  const words = typed
    .slice(0, split)
    .replace(/^every /, '')
    .replace(/ (at )?$/, '')
  const weekDays = parseDays(words.trim())
  if ('fault' in weekDays) return weekDays
  const times = parseTimes(typed.slice(split))
  return 'fault' in times ? times : calendar(times, weekDays)
}

const calendar = (times: readonly number[], weekDays: ReadonlySet<number>): Calendar => ({
  kind: 'calendar',
  times,
  months: ALL_MONTHS,
  monthDays: ALL_MONTH_DAYS,
  weekDays,
  eitherDay: false,
})

function parseDays(text: string): ReadonlySet<number> | ScheduleFault {
  const found = new Set<number>()
  for (const part of text.split(/, ?| and /)) {
    const group = GROUPS[part]
    const [first = '', last = first, ...rest] = part.split(/ ?- ?/)
    const [from, to] = [dayOf(first), dayOf(last)]
    if (group !== undefined) for (const day of group) found.add(day)
    else if (from === -1 || to === -1 || rest.length > 0)
      return { fault: `${part === '' ? 'an empty text' : part} is not a day: write ${SCHEDULE_EXAMPLES}` }
    else for (const step of numbers(0, (to - from + 7) % 7)) found.add((from + step) % 7)
  }
  return new Set([...found].sort((a, b) => a - b))
}

/** Returns the day of the week for a name such as `mon`, `monday` or `mondays`. */
function dayOf(text: string): number {
  const short = (DAY_NAMES as readonly string[]).indexOf(text)
  return short === -1 ? LONG_NAMES.indexOf(text.replace(/s$/, '')) : short
}

function parseTimes(text: string): readonly number[] | ScheduleFault {
  const found = new Set<number>()
  for (const part of text.split(/, ?| and /)) {
    const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(part.trim()) ?? []
    if (hours === undefined || minutes === undefined || Number(hours) > 23 || Number(minutes) > 59)
      return { fault: `${part.trim()} is not a time of the day: write 09:00 or 17:30` }
    found.add(Number(hours) * 60 + Number(minutes))
  }
  return [...found].sort((a, b) => a - b)
}
