/**
 * Compares the times of random schedules with a brute-force oracle. The oracle reads the wall clock at every minute of
 * twelve days, and shares no code with the schedules.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSchedule } from '../../../src/core/recurrence/schedule.ts'
import type { Schedule } from '../../../src/core/recurrence/calendar.ts'
import { timeAfter, timeUntil } from '../../../src/core/recurrence/next-time.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const DAYS = 12

/** Days around a clock change: by an hour, by half an hour, at midnight, by a whole day, and none. */
const PLACES = [
  ['Europe/Berlin', '2026-03-23'],
  ['Europe/Berlin', '2026-10-19'],
  ['America/New_York', '2026-03-02'],
  ['America/New_York', '2026-10-26'],
  ['America/Havana', '2026-03-02'],
  ['America/Havana', '2026-10-26'],
  ['Africa/Cairo', '2026-04-18'],
  ['Africa/Cairo', '2026-10-24'],
  ['Australia/Lord_Howe', '2026-09-28'],
  ['Australia/Lord_Howe', '2026-03-30'],
  ['Pacific/Apia', '2011-12-24'],
  ['Africa/Casablanca', '2026-02-09'],
  ['Asia/Kathmandu', '2026-06-01'],
  ['UTC', '2026-06-01'],
] as const

/** Maps each local time to the moments at which a wall clock shows it. Local times are written as if they were UTC. */
type WallClock = ReadonlyMap<number, readonly number[]>

function readWallClock(zone: string, from: number): WallClock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const moments = new Map<number, number[]>()
  for (let at = from; at < from + DAYS * DAY; at += MINUTE) {
    const shown = Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
    moments.set(shown, [...(moments.get(shown) ?? []), at])
  }
  return moments
}

/** Returns the expected moments of a local time. A skipped time moves by the skipped period. */
function momentsOf(wall: number, clock: WallClock, isHourly: boolean): readonly number[] {
  const found = clock.get(wall)
  if (found !== undefined) return isHourly ? found : found.slice(0, 1)
  let before = wall - MINUTE
  while (before > wall - 2 * DAY && !clock.has(before)) before -= MINUTE
  const last = clock.get(before)?.at(-1)
  return last === undefined ? [] : [last + wall - before]
}

interface Drawn {
  readonly minutes: readonly number[]
  readonly hours: readonly number[] | null
  readonly weekDays: readonly number[] | null
  readonly monthDays: readonly number[] | null
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  minutes: fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 1, maxLength: 3 }),
  hours: fc.option(fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 12, 23), { minLength: 1, maxLength: 4 })),
  weekDays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 })),
  monthDays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 9 })),
})

const cronOf = ({ minutes, hours, weekDays, monthDays }: Drawn): string =>
  [minutes, hours, monthDays, null, weekDays].map((values) => values?.join(',') ?? '*').join(' ')

function expectedTimes({ minutes, hours, weekDays, monthDays }: Drawn, from: number, clock: WallClock): number[] {
  const days = Array.from({ length: DAYS }, (_, index) => from + index * DAY).filter((day) => {
    const date = new Date(day)
    const byWeek = weekDays?.includes(date.getUTCDay()) ?? true
    const byDate = monthDays?.includes(date.getUTCDate()) ?? true
    return weekDays !== null && monthDays !== null ? byWeek || byDate : byWeek && byDate
  })
  const hourList = hours ?? Array.from({ length: 24 }, (_, hour) => hour)
  const walls = days.flatMap((day) =>
    hourList.flatMap((hour) => minutes.map((minute) => day + (hour * 60 + minute) * MINUTE)),
  )
  return [...new Set(walls.flatMap((wall) => momentsOf(wall, clock, hours === null)))].sort((a, b) => a - b)
}

const scheduleOf = (text: string): Schedule => {
  const parsed = parseSchedule(text)
  if ('fault' in parsed) throw new Error(`${text} ${parsed.fault}`)
  return parsed
}

test.each(PLACES)('a schedule in %s follows the wall clock from %s', (timeZone, from) => {
  const start = Date.parse(`${from}T00:00Z`)
  const clock = readWallClock(timeZone, start)
  fc.assert(
    fc.property(drawn, fc.nat({ max: 8 * 24 * 60 }), fc.nat({ max: 2 * 24 * 60 }), (asked, offset, wait) => {
      const timing = { schedule: scheduleOf(cronOf(asked)), timeZone, anchorAt: 0 }
      // The oracle does not cover the days before the first and after the last day, so times near these two days are
      // left out.
      const [first, last] = [start + 2 * DAY, start + 10 * DAY]
      const times = expectedTimes(asked, start, clock).filter((at) => at >= first && at < last)
      const since = first + offset * MINUTE + 1
      const next = times.find((at) => at > since)
      if (next === undefined) return
      expect(timeAfter(timing, since)).toBe(next)
      expect(timeAfter(timing, next - 1)).toBe(next)
      const until = Math.min(next + wait * MINUTE, last - 1)
      expect(timeUntil(timing, until, next)).toBe(times.findLast((at) => at <= until))
    }),
    { numRuns: 60 },
  )
})
