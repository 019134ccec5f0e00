/**
 * Computes the times of a schedule. When the clocks change (daylight saving time), each local time of a calendar still
 * counts once:
 *
 * - A skipped time moves by the skipped period: if the clocks skip an hour, 02:30 becomes 03:30.
 * - A repeated time counts at its first occurrence. A calendar with a time in every hour counts both occurrences, so
 *   that it does not pause for an hour.
 *
 * If two local times become the same moment, that moment counts once.
 */
import { isHourly, matchesDay } from './calendar.ts'
import type { Calendar, Schedule } from './calendar.ts'
import { changeBetween, offsetAt } from './zone.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * The longest possible wait of a calendar: from 29 February 2096 to 29 February 2104, because 2100 is not a leap year.
 */
const DAYS_AHEAD = 8 * 366 + 2

/**
 * How many neighbouring days to compare. A clock change moves a time by at most a day, so a later day can contain an
 * earlier moment.
 */
const NEIGHBOURS = 2

export interface Timing {
  readonly schedule: Schedule
  readonly timeZone: string
  /** An interval is counted from this moment. */
  readonly anchorAt: number
}

/** Returns the first scheduled time after `at`. Null means that the schedule has no more times. */
export function timeAfter({ schedule, timeZone, anchorAt }: Timing, at: number): number | null {
  if (schedule.kind === 'interval') {
    const { everyMs } = schedule
    return anchorAt + Math.max(1, Math.floor((at - anchorAt) / everyMs) + 1) * everyMs
  }
  const first = midnightOf(timeZone, at) - DAY
  let [best, left]: [number | null, number] = [null, DAYS_AHEAD]
  for (let day = first; left > 0; day += DAY, left -= 1) {
    const found = momentsOn(schedule, timeZone, day).find((moment) => moment > at)
    if (best === null && found !== undefined) left = NEIGHBOURS + 1
    best = found === undefined ? best : Math.min(best ?? found, found)
  }
  return best
}

/** Returns the last scheduled time from `since` to `at`. Null means that the schedule has no time in this period. */
export function timeUntil({ schedule, timeZone, anchorAt }: Timing, at: number, since: number): number | null {
  if (schedule.kind === 'interval') {
    const { everyMs } = schedule
    const time = anchorAt + Math.floor((at - anchorAt) / everyMs) * everyMs
    return time >= since ? time : null
  }
  const last = midnightOf(timeZone, since) - NEIGHBOURS * DAY
  let [best, left]: [number | null, number] = [null, Infinity]
  for (let day = midnightOf(timeZone, at) + DAY; day >= last && left > 0; day -= DAY, left -= 1) {
    const found = momentsOn(schedule, timeZone, day).findLast((moment) => moment <= at && moment >= since)
    if (best === null && found !== undefined) left = NEIGHBOURS + 1
    best = found === undefined ? best : Math.max(best ?? found, found)
  }
  return best
}

/** Returns the local day of a moment, expressed as midnight UTC. */
const midnightOf = (timeZone: string, at: number): number => Math.floor((at + offsetAt(timeZone, at)) / DAY) * DAY

/** Returns the moments of a calendar on one local day, in ascending order. */
function momentsOn(calendar: Calendar, timeZone: string, day: number): readonly number[] {
  if (!matchesDay(calendar, day)) return []
  const times = calendar.times.map((minutes) => day + minutes * MINUTE)
  // Local time differs from UTC by less than a day. So this span contains every moment of the local day.
  const { before, after, changeAt } = changeBetween(timeZone, day - DAY, day + 2 * DAY)
  if (changeAt === null) return times.map((time) => time - before)
  const countsTwice = isHourly(calendar)
  const moments = times.flatMap((time) => {
    const [early, late] = [time - before, time - after]
    const [isEarly, isLate] = [early < changeAt, late >= changeAt]
    if (isEarly && isLate) return countsTwice ? [early, late] : [early]
    return isEarly || !isLate ? [early] : [late]
  })
  return [...new Set(moments)].sort((a, b) => a - b)
}
