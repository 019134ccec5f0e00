import { expect, test } from 'vitest'
import { makeFailure, kindOfStatus, retryTimeIn } from '../../../src/harnesses/stream/failure-kind.ts'

const NOW = new Date(2026, 10, 15, 15, 0).getTime()
const MINUTE = 60_000
const HOUR = 60 * MINUTE

test.each([
  ['try again in 2 hours 5 minutes', 2 * HOUR + 5 * MINUTE],
  ['Please try again in 1d 3h.', 27 * HOUR],
  ['{"retryDelay": "31.5s"}', 31_500],
  ['Please retry in 4s.', 4_000],
  ['retry after 250ms', 250],
  ['or try again at 5:20 PM.', 2 * HOUR + 21 * MINUTE],
  ['or try again at 3:00 PM.', MINUTE],
  ['or try again at 2:58 PM.', -MINUTE],
  ['or try again at Nov 17th, 2026 8:02 PM.', 53 * HOUR + 3 * MINUTE],
])('the message "%s" gives a retry time %i ms from now', (message, after) => {
  expect(retryTimeIn(message, NOW)).toBe(NOW + after)
})

test.each(['Too Many Requests', 'try again later', 'try again in 0s', ''])('"%s" gives no retry time', (message) => {
  expect(retryTimeIn(message, NOW)).toBeNull()
})

test('a status code gives the same failure kind for every program', () => {
  expect([429, 529, 402, 401, 403, 413, 500, null].map(kindOfStatus)).toEqual([
    'rate_limited',
    'rate_limited',
    'billing',
    'auth',
    'auth',
    'context_overflow',
    'other',
    'other',
  ])
})

test('the message of a failure is cut if it is too long', () => {
  expect(makeFailure('other', 'x'.repeat(5_000)).message).toHaveLength(2_000)
})
