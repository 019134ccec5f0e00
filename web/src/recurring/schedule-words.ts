/** Describes a schedule in plain words: `Weekdays at 09:00`, `Every 2 hours`, `On day 1 of the month at 07:00`. */
import { isHourly } from '../../../src/core/recurrence/calendar.ts'
import type { Calendar, Schedule } from '../../../src/core/recurrence/calendar.ts'
import { parseSchedule } from '../../../src/core/recurrence/schedule.ts'
import { formatList } from '../i18n/format.ts'
import type { Language } from '../i18n/language.ts'
import { translator } from '../i18n/use-messages.tsx'
import { scheduleMessages } from './schedule-messages.ts'

const MINUTE = 60_000
const UNITS = [
  ['everyWeeks', 7 * 24 * 60 * MINUTE],
  ['everyDays', 24 * 60 * MINUTE],
  ['everyHours', 60 * MINUTE],
  ['everyMinutes', MINUTE],
] as const

/** More times of a day than this are counted and not listed. */
const LISTED = 4

/** Describes the text of a schedule. A text that this page does not understand is shown as it is. */
export function scheduleWords(text: string, language: Language): string {
  const schedule = parseSchedule(text)
  return 'fault' in schedule ? text : wordsOf(schedule, language)
}

function wordsOf(schedule: Schedule, language: Language): string {
  const t = translator(scheduleMessages, language)
  if (schedule.kind === 'calendar') return calendarWords(schedule, language)
  const [unit, ms] = UNITS.find(([, size]) => schedule.everyMs % size === 0) ?? ['everyMinutes', MINUTE]
  return t(unit, { n: Math.round(schedule.everyMs / ms) })
}

function calendarWords(calendar: Calendar, language: Language): string {
  const t = translator(scheduleMessages, language)
  const days = dayWords(calendar, language)
  const every = hourlyWords(calendar, language)
  if (every !== null) return days === null ? every : t('daysEvery', { days, every: inside(every) })
  const times = timeWords(calendar, language)
  return t('daysAt', { days: days ?? t('everyDay'), times })
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

const clock = (minutes: number): string => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

/** The text inside a sentence. Only English begins a text with a capital letter. */
const inside = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

function timeWords({ times }: Calendar, language: Language): string {
  const t = translator(scheduleMessages, language)
  if (times.length <= LISTED) return formatList(language, times.map(clock))
  return t('manyTimes', { n: times.length, first: clock(times[0] ?? 0), last: clock(times.at(-1) ?? 0) })
}

/** A calendar with the same minutes in every hour: `every hour`, `every 15 minutes`. Null: it is another calendar. */
function hourlyWords(calendar: Calendar, language: Language): string | null {
  const t = translator(scheduleMessages, language)
  const minutes = [...new Set(calendar.times.map((time) => time % 60))].sort((one, other) => one - other)
  if (!isHourly(calendar) || calendar.times.length !== minutes.length * 24) return null
  const [first = 0, second] = minutes
  if (second === undefined) return first === 0 ? t('hourly') : t('hourlyAt', { minute: twoDigits(first) })
  const step = second - first
  const isEven = first === 0 && step * minutes.length === 60 && minutes.every((minute, at) => minute === at * step)
  return isEven ? t('everyMinutes', { n: step }) : null
}

const WORK_DAYS = '1,2,3,4,5'
const WEEKEND = '0,6'

/** The days of a calendar. Null means every day. */
function dayWords({ months, monthDays, weekDays, eitherDay }: Calendar, language: Language): string | null {
  const t = translator(scheduleMessages, language)
  const byWeek = weekDays.size === 7 ? null : weekWords(weekDays, language)
  const byDate =
    monthDays.size === 31 ? null : t('onDates', { dates: formatList(language, sorted(monthDays).map(String)) })
  const days =
    byWeek === null || byDate === null
      ? (byWeek ?? byDate)
      : t(eitherDay ? 'eitherDays' : 'bothDays', { one: byDate, other: inside(byWeek) })
  if (months.size === 12) return days
  const names = formatList(
    language,
    sorted(months).map((month) => nameOf(language, { month: 'long' }, Date.UTC(2026, month - 1, 15))),
  )
  return t('inMonths', { days: days ?? t('everyDay'), months: names })
}

const sorted = (values: ReadonlySet<number>): readonly number[] => [...values].sort((one, other) => one - other)

function weekWords(weekDays: ReadonlySet<number>, language: Language): string {
  const t = translator(scheduleMessages, language)
  const key = sorted(weekDays).join(',')
  if (key === WORK_DAYS) return t('weekdays')
  if (key === WEEKEND) return t('weekends')
  // The week begins on Monday. 4 January 2026 was a Sunday.
  const names = sorted(weekDays)
    .toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7))
    .map((day) => nameOf(language, { weekday: 'long' }, Date.UTC(2026, 0, 4 + day)))
  return t('onWeekDays', { days: formatList(language, names) })
}

const nameOf = (language: Language, options: Intl.DateTimeFormatOptions, at: number): string =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(at)
