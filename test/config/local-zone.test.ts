import { expect, test } from 'vitest'
import { localZone } from '../../src/config/local-zone.ts'

const DAY = 86_400_000
const now = Date.parse('2026-03-25T12:00:00Z')

test('a time zone without a clock change has one offset', () => {
  expect(localZone(now, () => 60)).toEqual({ offsetMinutes: 60, change: null })
})

test('the next clock change is found to the millisecond', () => {
  const change = Date.parse('2026-03-29T01:00:00Z')
  const offsetAt = (at: number): number => (at < change ? 60 : 120)
  expect(localZone(now, offsetAt)).toEqual({ offsetMinutes: 60, change: { at: change, offsetMinutes: 120 } })
  expect(localZone(now - 7 * DAY, offsetAt).change).toBeNull()
})

test('the zone of this machine agrees with its local time', () => {
  expect(localZone(now).offsetMinutes).toBe(-new Date(now).getTimezoneOffset())
})
