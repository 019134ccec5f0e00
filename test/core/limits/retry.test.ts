import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../src/core/board.ts'
import { backOff, failureLimit, isCounted, protocolLimit } from '../../../src/core/limits/retry.ts'
import { OUTCOMES } from '../../../src/core/vocabulary.ts'
import { HOUR, SECOND } from '../../helpers/sample.ts'

describe('the limit of failures', () => {
  test("is the card's own, else the board's", () => {
    expect(failureLimit({ maxRetries: null }, DEFAULT_SETTINGS)).toBe(2)
    expect(failureLimit({ maxRetries: 5 }, DEFAULT_SETTINGS)).toBe(5)
    expect(protocolLimit({ maxRetries: null }, DEFAULT_SETTINGS)).toBe(3)
    expect(protocolLimit({ maxRetries: 5 }, DEFAULT_SETTINGS)).toBe(5)
  })

  test("is met only by the agent's own failures", () => {
    expect(OUTCOMES.filter(isCounted)).toEqual(['crashed', 'timed_out', 'spawn_failed', 'checks_failed'])
  })
})

describe('the back-off', () => {
  test('starts at its base, doubles, and stops growing at its end', () => {
    const waits = [1, 2, 3, 4, 11, 12, 1000].map((nth) => backOff(nth, 5 * SECOND, HOUR))
    expect(waits).toEqual([5, 10, 20, 40, 3600, 3600, 3600].map((seconds) => seconds * SECOND))
  })

  test('of none, or of less, is the base', () => {
    expect(backOff(0, 5, 100)).toBe(5)
    expect(backOff(-3, 5, 100)).toBe(5)
  })
})
