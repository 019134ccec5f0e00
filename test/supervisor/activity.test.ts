import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Activity } from '../../src/supervisor/activity.ts'
import { testFolder } from '../helpers/stores.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const board = { leaseMs: 2 * MINUTE, staleMs: 4 * HOUR, lastActivityAt: 7 }

/** Makes an agent with a log file, and a clock that only the test advances. */
function watch() {
  const log = join(testFolder(), 'log')
  writeFileSync(log, '')
  let now = 0
  const activity = new Activity(log, () => now)
  return {
    activity,
    print: () => appendFileSync(log, 'a line\n'),
    /**
     * Lets this time pass, and renews the lease every half minute. Returns whether the agent was stale at the last
     * renewal.
     */
    pass: (ms: number, renewal = board): boolean => {
      let stale = false
      for (const end = now + ms; now < end;) {
        now += MINUTE / 2
        stale = activity.isStale(renewal)
      }
      return stale
    },
    sleepThroughRenewals: (ms: number) => (now += ms),
  }
}

test('an agent is stale after the board’s silence limit, and not before', () => {
  const { pass } = watch()
  expect(pass(4 * HOUR - MINUTE)).toBe(false)
  expect(pass(MINUTE)).toBe(true)
})

test('each piece of output counts as progress once', () => {
  const { activity, pass, print } = watch()
  pass(3 * HOUR)
  print()
  expect(activity.hasPrinted()).toBe(true)
  expect(activity.hasPrinted()).toBe(false)
  expect(pass(3 * HOUR)).toBe(false)
  expect(pass(HOUR)).toBe(true)
})

test('a heartbeat counts as progress', () => {
  const { pass } = watch()
  pass(3 * HOUR)
  expect(pass(3 * HOUR, { ...board, lastActivityAt: 8 })).toBe(false)
})

test('an old heartbeat time does not make a new run stale (scenario 14)', () => {
  const { pass } = watch()
  expect(pass(16 * MINUTE, { ...board, lastActivityAt: -2 * HOUR })).toBe(false)
})

test('with a silence limit of 0, no agent is stale (scenario 16)', () => {
  expect(watch().pass(100 * HOUR, { ...board, staleMs: 0 })).toBe(false)
})

test('a whole lease without renewals cuts the silence limit to a quarter (scenario 13)', () => {
  const { pass, sleepThroughRenewals } = watch()
  pass(MINUTE)
  sleepThroughRenewals(3 * MINUTE)
  expect(pass(HOUR - 5 * MINUTE)).toBe(false)
  expect(pass(2 * MINUTE)).toBe(true)
})

test('a missing log does not count as progress', () => {
  const activity = new Activity(join(testFolder(), 'none'))
  expect(activity.hasPrinted()).toBe(false)
})
