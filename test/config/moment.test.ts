import { expect, test } from 'vitest'
import { parseMoment } from '../../src/config/moment.ts'

const now = new Date(2026, 10, 15, 10, 30).getTime()
const local = (...parts: [number, number, number, number?, number?, number?]): number => new Date(...parts).getTime()

test.each([
  ['2026-11-30', local(2026, 10, 30)],
  ['2026-11-30T09:05', local(2026, 10, 30, 9, 5)],
  ['2026-11-30 9:05', local(2026, 10, 30, 9, 5)],
  ['2026-11-30T09:05:30', local(2026, 10, 30, 9, 5, 30)],
  ['2026-11-30T09:00:00Z', Date.UTC(2026, 10, 30, 9)],
  ['2026-11-30T09:00+02:00', Date.UTC(2026, 10, 30, 7)],
  ['11:00', local(2026, 10, 15, 11)],
  ['9:00', local(2026, 10, 16, 9)],
  ['tomorrow', local(2026, 10, 16)],
  ['Tomorrow 9:00', local(2026, 10, 16, 9)],
  ['tomorrow at 9:00', local(2026, 10, 16, 9)],
  ['today 9:00', local(2026, 10, 15, 9)],
  ['+2h', now + 7_200_000],
  ['in 30m', now + 1_800_000],
])('the text %s is parsed as a point in time', (text, moment) => {
  expect(parseMoment(text, now)).toBe(moment)
})

test.each([
  '',
  'soon',
  '2026-02-31',
  '2026-11-30T24:01',
  '25:00',
  '9:60',
  '2026-11-30T09:00:61',
  '+',
  '+1x',
  'in',
  '12',
  '-2h',
  '2026',
])('the text %j is not a valid time', (text) => {
  expect(parseMoment(text, now)).toBeNull()
})
