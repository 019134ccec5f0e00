/**
 * Computes the times of a schedule. Where the clocks change, each local time of a calendar still counts once:
 *
 * - A time that the clocks skip moves by the skipped period: 02:30 becomes 03:30 if they skip an hour.
 * - A time that occurs twice counts at its first occurrence. A calendar with a time in every hour counts both, so that it
 *   does not pause for an hour.
 *
 * Two times that become the same moment count once.
 */
import { isHourly, matchesDay } from './calendar.ts'
import type { Calendar, Schedule } from './calendar.ts'
import { changeBetween, offsetAt } from './zone.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The longest wait of a calendar: from 29 February 2096 to 29 February 2104. */
const DAYS_AHEAD = 8 * 366 + 2

/**
 * The clocks move a time by a day at most, so the earliest time of a day may be earlier than those of the day before.
 * Neighbouring days are compared too.
 */
const NEIGHBOURS = 2

export interface Timing {
  readonly schedule: Schedule
  readonly timeZone: string
  /** The moment from which an interval counts. */
  readonly anchorAt: number
}

/** The first time after a moment. Null means that there is none. */
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

/** The last time that is not after a moment, and not before `since`. Null means that there is none. */
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

/** The local day of a moment, as its midnight in UTC. */
const midnightOf = (timeZone: string, at: number): number => Math.floor((at + offsetAt(timeZone, at)) / DAY) * DAY

/** The moments of a calendar on one local day, in ascending order. */
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
