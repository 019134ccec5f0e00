import { expect, test } from 'vitest'
import { parseSchedule, scheduleFault } from '../../../src/core/recurrence/schedule.ts'
import { timeAfter, timeUntil } from '../../../src/core/recurrence/next-time.ts'
import { isTimeZone } from '../../../src/core/recurrence/zone.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

/** Returns the next times of a schedule after a moment. All times are in UTC. */
function timesOf(text: string, from: string, { count = 3, timeZone = 'UTC', anchorAt = at(from) } = {}): string[] {
  const schedule = parseSchedule(text)
  if ('fault' in schedule) throw new Error(`${text} ${schedule.fault}`)
  const times: string[] = []
  let moment: number | null = at(from)
  while (times.length < count) {
    moment = timeAfter({ schedule, timeZone, anchorAt }, moment)
    if (moment === null) break
    times.push(new Date(moment).toISOString().slice(0, 16))
  }
  return times
}

// 10 November 2026 is a Tuesday.
const NOON = '2026-11-10T12:00'

test.each([
  ['every 90m', ['2026-11-10T13:30', '2026-11-10T15:00', '2026-11-10T16:30']],
  ['every 2 hours', ['2026-11-10T14:00', '2026-11-10T16:00', '2026-11-10T18:00']],
  ['every 1w', ['2026-11-17T12:00', '2026-11-24T12:00', '2026-12-01T12:00']],
  ['daily 7:30', ['2026-11-11T07:30', '2026-11-12T07:30', '2026-11-13T07:30']],
  ['every day at 7:30', ['2026-11-11T07:30', '2026-11-12T07:30', '2026-11-13T07:30']],
  ['weekdays 09:00', ['2026-11-11T09:00', '2026-11-12T09:00', '2026-11-13T09:00']],
  ['Weekends 09:00', ['2026-11-14T09:00', '2026-11-15T09:00', '2026-11-21T09:00']],
  ['mondays 9:00', ['2026-11-16T09:00', '2026-11-23T09:00', '2026-11-30T09:00']],
  ['every monday and thursday at 9:00', ['2026-11-12T09:00', '2026-11-16T09:00', '2026-11-19T09:00']],
  ['fri-mon 9:00', ['2026-11-13T09:00', '2026-11-14T09:00', '2026-11-15T09:00']],
  ['weekdays 9:00, 17:30', ['2026-11-10T17:30', '2026-11-11T09:00', '2026-11-11T17:30']],
  ['hourly', ['2026-11-10T13:00', '2026-11-10T14:00', '2026-11-10T15:00']],
  ['*/15 13-14 * * *', ['2026-11-10T13:00', '2026-11-10T13:15', '2026-11-10T13:30']],
  ['0 9 * * mon-fri', ['2026-11-11T09:00', '2026-11-12T09:00', '2026-11-13T09:00']],
  ['0 9 * * 7', ['2026-11-15T09:00', '2026-11-22T09:00', '2026-11-29T09:00']],
  ['0 0 1 jan,jul *', ['2027-01-01T00:00', '2027-07-01T00:00', '2028-01-01T00:00']],
  ['@monthly', ['2026-12-01T00:00', '2027-01-01T00:00', '2027-02-01T00:00']],
  // If both the date and the day of the week are restricted, either one is enough.
  ['0 0 1,15 * 1', ['2026-11-15T00:00', '2026-11-16T00:00', '2026-11-23T00:00']],
  ['0 0 */2 * 1', ['2026-11-23T00:00', '2026-12-07T00:00', '2026-12-21T00:00']],
  ['0 9 31 * *', ['2026-12-31T09:00', '2027-01-31T09:00', '2027-03-31T09:00']],
])('the schedule %s has the expected times', (text, times) => {
  expect(timesOf(text, NOON)).toEqual(times)
})

test('the schedule for 29 February skips the year 2100', () => {
  expect(timesOf('0 9 29 2 *', '2096-03-01T00:00', { count: 1 })).toEqual(['2104-02-29T09:00'])
})

test('a skipped local time moves by an hour, and a repeated one counts once', () => {
  const berlin = { timeZone: 'Europe/Berlin' }
  expect(timesOf('30 2 * * *', '2026-03-28T12:00', { ...berlin, count: 2 })).toEqual([
    '2026-03-29T01:30',
    '2026-03-30T00:30',
  ])
  expect(timesOf('30 2 * * *', '2026-10-24T12:00', { ...berlin, count: 2 })).toEqual([
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ])
})

test('an hourly schedule runs in both repeated hours, and an interval ignores clock changes', () => {
  const hours = ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00']
  for (const text of ['0 * * * *', 'every 1h'])
    expect(timesOf(text, '2026-10-24T23:00', { timeZone: 'Europe/Berlin' })).toEqual(hours)
})

test('the last of several missed times is found', () => {
  const schedule = parseSchedule('* * * * *')
  if ('fault' in schedule) throw new Error(schedule.fault)
  const timing = { schedule, timeZone: 'Asia/Kolkata', anchorAt: 0 }
  expect(timeUntil(timing, at('2026-11-10T12:00:30'), at('2026-01-01T00:00'))).toBe(at('2026-11-10T12:00'))
  expect(timeUntil(timing, at('2026-11-10T12:00:30'), at('2026-11-10T12:00:10'))).toBe(null)
})

test.each([
  ['', 'is empty'],
  ['every 30s', 'is not an interval: write every 30m'],
  ['every 0m', 'is too short'],
  ['every 900d', 'is too long'],
  ['weekdays', 'weekdays has no time'],
  ['funday 9:00', 'funday is not a day'],
  ['daily 24:00', '24:00 is not a time of the day'],
  ['daily 9', '9 is not a time of the day'],
  ['mon, 9:00', 'an empty text is not a day'],
  ['0 9 * *', 'has 4 fields'],
  ['0 0 9 * * *', 'has 6 fields'],
  ['60 9 * * *', '60 is not a minute: use 0-59'],
  ['0 9 * * mun', 'mun is not a day of the week: use 0-7 or sun-sat'],
  ['0 9 L * *', 'l is not a day of the month'],
  ['0 9 * * 5-1', '5-1 is not in ascending order'],
  ['*/0 9 * * *', '*/0 has a step of 0'],
  ['5/10 9 * * *', 'write 5-59/10'],
  ['0 9 30 2 *', 'never happens'],
  ['@often', 'does not know @often'],
  ['x'.repeat(201), 'is longer than 200 characters'],
])('the schedule %j is refused with a reason', (text, reason) => {
  expect(scheduleFault(text)).toContain(reason)
})

test('overlong schedules are refused quickly', () => {
  const began = performance.now()
  for (const text of [
    ' '.repeat(100_000),
    `daily ${'9:00,'.repeat(30)}`,
    'mon-'.repeat(40),
    `${'1,'.repeat(90)} * * * *`,
  ])
    scheduleFault(text)
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('only names of time zones are accepted, not offsets or other text', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    expect(isTimeZone(zone)).toBe(true)
  for (const zone of ['', '+02:00', 'Europe/Nowhere', 'Berlin', '../etc']) expect(isTimeZone(zone)).toBe(false)
})
