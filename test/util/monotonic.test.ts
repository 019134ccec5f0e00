import { expect, test } from 'vitest'
import { ClockWatch } from '../../src/util/monotonic.ts'

test('no jump is reported while the wall clock and the monotonic clock advance together', () => {
  const watch = new ClockWatch()
  expect(watch.hasJumped(1_000, 0)).toBe(false)
  expect(watch.hasJumped(3_601_000, 3_600_000)).toBe(false)
})

test.each([
  ['jumps forward', 2 * 3_600_000],
  ['jumps backward', -3 * 3_600_000],
  ['is ahead after a sleep', 6_000],
])('a clock that %s is reported as a jump once', (_, byMs) => {
  const watch = new ClockWatch()
  watch.hasJumped(0, 0)
  expect(watch.hasJumped(1_000 + byMs, 1_000)).toBe(true)
  expect(watch.hasJumped(2_000 + byMs, 2_000)).toBe(false)
})

test('a slow drift of the clock is not reported as a jump', () => {
  const watch = new ClockWatch()
  watch.hasJumped(0, 0)
  expect(watch.hasJumped(64_900, 60_000)).toBe(false)
})
