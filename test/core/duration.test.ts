import { expect, test } from 'vitest'
import { parseDuration } from '../../src/core/duration.ts'

test.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['1.5h', 5_400_000],
  ['2d', 172_800_000],
  ['0.3s', 300],
])('the duration %s is parsed as %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', '0', '1.5', '-3s', '5x', 'soon', '1h30m'])('the text %j is not a valid duration', (text) => {
  expect(parseDuration(text)).toBeNull()
})
