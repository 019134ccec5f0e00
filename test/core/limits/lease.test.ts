import { describe, expect, test } from 'vitest'
import { dispatches, leaseExpired, missedStart, owns } from '../../../src/core/limits/lease.ts'
import { MINUTE, NOON, identity, runOf, sampleRun } from '../../helpers/sample.ts'

const fence = { runId: runOf('a'), tokenHash: 'token' }

describe('a fence', () => {
  test('a fence owns the open run with its id and token', () => {
    expect(owns(sampleRun(), fence)).toBe(true)
  })

  test('a fence with another token or run, or an ended run, owns nothing', () => {
    expect(owns(sampleRun(), { ...fence, tokenHash: 'guess' })).toBe(false)
    expect(owns(sampleRun({ id: runOf('b') }), fence)).toBe(false)
    expect(owns(sampleRun({ endedAt: NOON, outcome: 'crashed' }), fence)).toBe(false)
    expect(owns(null, fence)).toBe(false)
    expect(owns(undefined, fence)).toBe(false)
  })

  test('no fence owns a run without a token', () => {
    expect(owns(sampleRun({ tokenHash: null }), { runId: runOf('a'), tokenHash: '' })).toBe(false)
  })
})

describe('leases and deadlines', () => {
  test('a lease is expired from its end time on', () => {
    expect(leaseExpired({ leaseUntil: NOON }, NOON)).toBe(true)
    expect(leaseExpired({ leaseUntil: NOON + 1 }, NOON)).toBe(false)
    expect(leaseExpired({ leaseUntil: null }, NOON)).toBe(false)
  })

  test('a start is missed if no supervisor registers in time', () => {
    expect(missedStart(sampleRun({ startDeadlineAt: NOON }), NOON)).toBe(true)
    expect(missedStart(sampleRun({ startDeadlineAt: NOON, registeredAt: NOON }), NOON)).toBe(false)
    expect(missedStart(sampleRun({ startDeadlineAt: NOON + 1 }), NOON)).toBe(false)
    expect(missedStart(sampleRun(), NOON)).toBe(false)
  })

  test('a dispatcher is active with its own token until its lease expires', () => {
    const dispatcher = {
      machine: 'laptop',
      tokenHash: 'd',
      identity: identity(),
      since: NOON,
      leaseUntil: NOON + MINUTE,
      lastPass: null,
    }
    expect(dispatches(dispatcher, 'd', NOON)).toBe(true)
    expect(dispatches(dispatcher, 'other', NOON)).toBe(false)
    expect(dispatches(dispatcher, 'd', NOON + MINUTE)).toBe(false)
    expect(dispatches(null, 'd', NOON)).toBe(false)
  })
})
