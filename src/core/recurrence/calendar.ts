/**
 * The two kinds of schedules. An interval repeats after a fixed period. A calendar lists times of the day on certain
 * days, in local time.
 */
export interface Interval {
  readonly kind: 'interval'
  readonly everyMs: number
}

export interface Calendar {
  readonly kind: 'calendar'
  /** Minutes since midnight, in ascending order. */
  readonly times: readonly number[]
  /** Months 1-12, days 1-31, and days of the week 0 (Sunday) to 6. */
  readonly months: ReadonlySet<number>
  readonly monthDays: ReadonlySet<number>
  readonly weekDays: ReadonlySet<number>
  /** True: a day matches if either its date or its day of the week matches. False: both must match. */
  readonly eitherDay: boolean
}

export type Schedule = Interval | Calendar

export interface ScheduleFault {
  readonly fault: string
}

const HOURS = 24

/** Whether the calendar has a time in every hour of the day. */
export const isHourly = ({ times }: Calendar): boolean =>
  new Set(times.map((time) => Math.floor(time / 60))).size === HOURS

/** Whether the calendar matches a day. `day` is the midnight of that day in UTC. */
export function matchesDay({ months, monthDays, weekDays, eitherDay }: Calendar, day: number): boolean {
  const date = new Date(day)
  if (!months.has(date.getUTCMonth() + 1)) return false
  const [byDate, byWeek] = [monthDays.has(date.getUTCDate()), weekDays.has(date.getUTCDay())]
  return eitherDay ? byDate || byWeek : byDate && byWeek
}
