import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Activity } from '../../src/supervisor/activity.ts'
import { testFolder } from '../helpers/stores.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const board = { leaseMs: 2 * MINUTE, staleMs: 4 * HOUR, lastActivityAt: 7 }

/** An agent whose log is a file, and a clock that only the test moves. */
function watch() {
  const log = join(testFolder(), 'log')
  writeFileSync(log, '')
  let now = 0
  const activity = new Activity(log, () => now)
  return {
    activity,
    print: () => appendFileSync(log, 'a line\n'),
    /** Renewals as they come, every half minute, until so much time has passed. */
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

test('silence for as long as the board allows makes an agent stale, and not a moment before', () => {
  const { pass } = watch()
  expect(pass(4 * HOUR - MINUTE)).toBe(false)
  expect(pass(MINUTE)).toBe(true)
})

test('output counts as progress, once', () => {
  const { activity, pass, print } = watch()
  pass(3 * HOUR)
  print()
  expect(activity.hasPrinted()).toBe(true)
  expect(activity.hasPrinted()).toBe(false)
  expect(pass(3 * HOUR)).toBe(false)
  expect(pass(HOUR)).toBe(true)
})

test('so does a heartbeat, which the row tells', () => {
  const { pass } = watch()
  pass(3 * HOUR)
  expect(pass(3 * HOUR, { ...board, lastActivityAt: 8 })).toBe(false)
})

test('a heartbeat of long ago, by a clock that was set back since, is not held against a new run (scenario 14)', () => {
  const { pass } = watch()
  expect(pass(16 * MINUTE, { ...board, lastActivityAt: -2 * HOUR })).toBe(false)
})

test('0 means never (scenario 16)', () => {
  expect(watch().pass(100 * HOUR, { ...board, staleMs: 0 })).toBe(false)
})

test('once nobody could hear it for a whole lease, a quarter of the time is enough (scenario 13)', () => {
  const { pass, sleepThroughRenewals } = watch()
  pass(MINUTE)
  sleepThroughRenewals(3 * MINUTE)
  expect(pass(HOUR - 5 * MINUTE)).toBe(false)
  expect(pass(2 * MINUTE)).toBe(true)
})

test('a log that is not there yet is no progress', () => {
  const activity = new Activity(join(testFolder(), 'none'))
  expect(activity.hasPrinted()).toBe(false)
})
