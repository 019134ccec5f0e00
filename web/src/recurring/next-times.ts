/** Computes the next times of a series in the browser, with the rules of the server. */
import { timeAfter } from '../../../src/core/recurrence/next-time.ts'
import { parseSchedule } from '../../../src/core/recurrence/schedule.ts'
import { isTimeZone } from '../../../src/core/recurrence/zone.ts'
import type { Language } from '../i18n/language.ts'

interface Timed {
  readonly schedule: string
  readonly timeZone: string
}

/** The times after a moment. An interval counts from the moment. Empty: the schedule or the time zone is not known. */
export function timesAfter({ schedule: text, timeZone }: Timed, from: number, count: number): readonly number[] {
  const schedule = parseSchedule(text)
  if ('fault' in schedule || !isTimeZone(timeZone)) return []
  const times: number[] = []
  for (let at = from; times.length < count;) {
    const next = timeAfter({ schedule, timeZone, anchorAt: from }, at)
    if (next === null) return times
    times.push(next)
    at = next
  }
  return times
}

/** The next times of a series, the time that the server has computed first. */
export const nextTimes = (series: Timed & { readonly nextAt: number | null }, count: number): readonly number[] =>
  series.nextAt === null ? [] : [series.nextAt, ...timesAfter(series, series.nextAt, count - 1)]

/** Formats a time in the time zone of a series: `Fri 20 Nov, 09:00`. */
export const formatSlot = (language: Language, at: number, timeZone: string): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isTimeZone(timeZone) && { timeZone }),
  }).format(at)
