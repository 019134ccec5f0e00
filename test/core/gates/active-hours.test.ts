import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOpen, nextOpening, parseActiveHours } from '../../../src/core/gates/active-hours.ts'
import type { ActiveHours, LocalZone } from '../../../src/core/gates/active-hours.ts'
import { hoursObstacles } from '../../../src/core/gates/hours-gate.ts'
import { sampleBoard } from '../../helpers/sample.ts'

const MINUTE = 60_000
const UTC: LocalZone = { offsetMinutes: 0, change: null }

function hoursOf(text: string): ActiveHours {
  const parsed = parseActiveHours(text)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return parsed
}

const at = (text: string): number => Date.parse(`${text}:00Z`)
const opens = (text: string, from: string, zone = UTC): string | null => {
  const next = nextOpening([hoursOf(text)], at(from), zone)
  return next === null ? null : new Date(next).toISOString().slice(0, 16)
}

describe('the parser', () => {
  test.each([
    ['22:00-07:00', '2026-10-10T21:59', '2026-10-10T22:00'],
    ['22:00-07:00', '2026-10-10T03:00', '2026-10-10T03:00'],
    ['22:00-07:00', '2026-10-10T07:00', '2026-10-10T22:00'],
    // 10 October 2026 is a Saturday.
    ['mon-fri 18:00-08:00; sat,sun', '2026-10-10T12:00', '2026-10-10T12:00'],
    ['mon-fri 18:00-08:00', '2026-10-10T07:30', '2026-10-10T07:30'],
    ['mon-fri 18:00-08:00', '2026-10-10T08:00', '2026-10-12T18:00'],
    ['Sat , Sun', '2026-10-12T00:00', '2026-10-17T00:00'],
    ['fri-mon 9:00-24:00', '2026-10-13T10:00', '2026-10-16T09:00'],
    ['sat 23:00-02:00', '2026-10-11T01:59', '2026-10-11T01:59'],
    ['sat 23:00-02:00', '2026-10-11T02:00', '2026-10-17T23:00'],
  ])('the hours "%s", seen from %s, next open at %s', (text, from, opening) => {
    expect(opens(text, from)).toBe(opening)
  })

  test.each([
    ['', 'write hours such as 22:00-07:00 or mon-fri 18:00-08:00; sat,sun'],
    ['22:00-07:00;', 'write hours such as 22:00-07:00 or mon-fri 18:00-08:00; sat,sun'],
    ['nights', 'nights is not a day: write mon, mon-fri or sat,sun'],
    ['mon-tue-wed 10:00-11:00', 'mon-tue-wed is not a day: write mon, mon-fri or sat,sun'],
    ['mon, 10:00-11:00', 'a day is missing: write mon, mon-fri or sat,sun'],
    ['25:00-07:00', '25:00-07:00 is not a range of times: write 22:00-07:00'],
    ['10:00-11:60', '10:00-11:60 is not a range of times: write 22:00-07:00'],
    ['22:00', '22:00 is not a range of times: write 22:00-07:00'],
    ['22:00-22:00', '22:00-22:00 begins and ends at the same time'],
    ['24:00-07:00', '24:00 can only be the end: write 00:00'],
    ['22:00 to 07:00', '22:00 to 07:00 is not a range of times: write 22:00-07:00'],
  ])('the text "%s" is refused with a reason', (text, fault) => {
    expect(parseActiveHours(text)).toEqual({ fault })
  })

  test('overlong active hours in a file of a repository are refused without a slow search', () => {
    expect(parseActiveHours(`a${' '.repeat(3_000)}!`)).toHaveProperty('fault')
  })

  test('the parser returns either hours or an error for any text', () => {
    const pieces = fc.constantFrom('mon', 'sun', '-', ',', ';', ' ', '22:00', '7:30', '24:00', 'x')
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const parsed = parseActiveHours(typed)
        return 'fault' in parsed ? parsed.fault !== '' : parsed.length > 0
      }),
    )
  })
})

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const two = (value: number): string => String(value).padStart(2, '0')
const clock = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`

interface Part {
  readonly days: readonly number[]
  readonly from: number
  readonly to: number
}

const part = fc
  .record({
    days: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
    from: fc.nat(1439),
    to: fc.nat(1439),
  })
  .filter(({ from, to }) => from !== to)
const parts = fc.array(part, { minLength: 1, maxLength: 3 })
const textOf = (list: readonly Part[]): string =>
  list.map(({ days, from, to }) => `${days.map((day) => DAYS[day]).join(',')} ${clock(from)}-${clock(to)}`).join('; ')

/** A second, simpler version of the rule. It uses the weekday and the minute of a local clock. */
const isOpenAt = (list: readonly Part[], day: number, minute: number): boolean =>
  list.some(({ days, from, to }) =>
    from < to
      ? days.includes(day) && minute >= from && minute < to
      : (days.includes(day) && minute >= from) || (days.includes((day + 6) % 7) && minute < to),
  )

const moment = fc.integer({ min: 0, max: 100 * 366 * 1440 }).map((minute) => minute * MINUTE)
const offset = fc.integer({ min: -12 * 4, max: 14 * 4 }).map((quarter) => quarter * 15)
const zoneAround = (now: number) =>
  fc.record({
    offsetMinutes: offset,
    change: fc.option(
      fc.record({ at: fc.nat(8 * 1440).map((minute) => now + (minute + 1) * MINUTE), offsetMinutes: offset }),
      { nil: null },
    ),
  })
const scene = moment.chain((now) => fc.record({ now: fc.constant(now), zone: zoneAround(now) }))

const offsetOf = ({ offsetMinutes, change }: LocalZone, now: number): number =>
  change !== null && now >= change.at ? change.offsetMinutes : offsetMinutes
const localDate = (zone: LocalZone, now: number): Date => new Date(now + offsetOf(zone, now) * MINUTE)

describe('openings', () => {
  test('hours are open if and only if the local clock is inside a window', () => {
    fc.assert(
      fc.property(parts, scene, (list, { now, zone }) => {
        const local = localDate(zone, now)
        const minute = local.getUTCHours() * 60 + local.getUTCMinutes()
        expect(isOpen(hoursOf(textOf(list)), now, zone)).toBe(isOpenAt(list, local.getUTCDay(), minute))
      }),
    )
  })

  test('the next opening is the first open minute, even if clocks change before it', () => {
    fc.assert(
      fc.property(parts, scene, (list, { now, zone }) => {
        const hours = hoursOf(textOf(list))
        const next = nextOpening([hours], now, zone)
        let minute = now
        while (!isOpen(hours, minute, zone) && minute <= now + 8 * 1440 * MINUTE) minute += MINUTE
        expect(next).toBe(minute <= now + 8 * 1440 * MINUTE ? minute : null)
      }),
      { numRuns: 50 },
    )
  })

  test('two sets of active hours have a common start if and only if they overlap', () => {
    fc.assert(
      fc.property(parts, parts, scene, (one, other, { now, zone }) => {
        const both = [hoursOf(textOf(one)), hoursOf(textOf(other))]
        const next = nextOpening(both, now, { ...zone, change: null })
        if (next !== null) return both.every((hours) => isOpen(hours, next, { ...zone, change: null }))
        for (let minute = now; minute < now + 7 * 1440 * MINUTE; minute += MINUTE)
          if (both.every((hours) => isOpen(hours, minute, { ...zone, change: null }))) return false
        return true
      }),
      { numRuns: 50 },
    )
  })

  test('hours that begin in the skipped hour open at the clock change', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
    const zone = { offsetMinutes: 60, change: { at: at('2026-03-29T01:00'), offsetMinutes: 120 } }
    expect(opens('02:30-06:00', '2026-03-28T12:00', zone)).toBe('2026-03-29T01:00')
    expect(opens('22:00-07:00', '2026-03-29T10:00', zone)).toBe('2026-03-29T20:00')
  })
})

describe('the gate', () => {
  const board = (activeHours: string | null) => {
    const { settings, ...rest } = sampleBoard()
    return { ...rest, settings: { ...settings, activeHours } }
  }
  const noon = at('2026-10-10T12:00')
  const agent = (hours: string | null) => ({ zone: UTC, agent: { name: 'coder', hours } })

  test('the gate is open without hours and inside the hours', () => {
    expect(hoursObstacles({ slug: 'main', settings: {} }, agent(null), noon)).toEqual([])
    expect(hoursObstacles(board(null), agent(null), noon)).toEqual([])
    expect(hoursObstacles(board('10:00-13:00'), { zone: UTC, agent: null }, noon)).toEqual([])
  })

  test('the closed gate names the owner of the hours and the opening', () => {
    const until = at('2026-10-10T22:00')
    expect(hoursObstacles(board('22:00-07:00'), agent(null), noon)).toEqual([
      { code: 'outside_hours', params: { of: 'board', name: 'main', hours: '22:00-07:00', at: until }, until },
    ])
    expect(hoursObstacles(board(null), agent('22:00-07:00'), noon)).toMatchObject([
      { params: { of: 'agent', name: 'coder' }, until },
    ])
  })

  test('a card starts when the hours of board and agent are both open', () => {
    const until = at('2026-10-10T23:00')
    expect(hoursObstacles(board('22:00-07:00'), agent('23:00-01:00'), noon)).toMatchObject([{ until }, { until }])
    expect(hoursObstacles(board('22:00-23:00'), agent('11:00-13:00'), noon)).toMatchObject([{ until: null }])
  })
})
