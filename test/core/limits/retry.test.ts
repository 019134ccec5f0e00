import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/core/board.ts'
import { backOff, failureLimit, isCounted, protocolLimit } from '../../../src/core/limits/retry.ts'
import { OUTCOMES } from '../../../src/core/vocabulary.ts'
import { HOUR, SECOND } from '../../helpers/sample.ts'

describe('the failure limit', () => {
  test("a card's own failure limit overrides the board's", () => {
    expect(failureLimit({ maxRetries: null }, DEFAULT_SETTINGS)).toBe(2)
    expect(failureLimit({ maxRetries: 5 }, DEFAULT_SETTINGS)).toBe(5)
    expect(protocolLimit({ maxRetries: null }, DEFAULT_SETTINGS)).toBe(3)
    expect(protocolLimit({ maxRetries: 5 }, DEFAULT_SETTINGS)).toBe(5)
  })

  test("only the agent's own failures count", () => {
    expect(OUTCOMES.filter(isCounted)).toEqual(['crashed', 'timed_out', 'spawn_failed', 'checks_failed'])
  })
})

describe('the back-off', () => {
  test('the wait starts at the base and doubles up to the maximum', () => {
    const waits = [1, 2, 3, 4, 11, 12, 1000].map((nth) => backOff(nth, 5 * SECOND, HOUR))
    expect(waits).toEqual([5, 10, 20, 40, 3600, 3600, 3600].map((seconds) => seconds * SECOND))
  })

  test('the wait is the base for a count of zero or less', () => {
    expect(backOff(0, 5, 100)).toBe(5)
    expect(backOff(-3, 5, 100)).toBe(5)
  })
})
