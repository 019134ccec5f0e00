import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { earliestStart, nextLook, rankOf } from '../../../src/core/limits/deadlines.ts'
import type { Run } from '../../../src/core/run.ts'
import type { Task } from '../../../src/core/task.ts'
import { HOUR, MINUTE, NOON, SECOND, sampleBoard, sampleRun, sampleTask } from '../../helpers/sample.ts'

const look = (task: Partial<Task>, run: Partial<Run> | null = null): number | null =>
  nextLook(sampleTask(task), run && sampleRun(run), NOON)

describe('the due time of a card', () => {
  test('a card without a deadline is never due', () => {
    for (const status of ['triage', 'blocked', 'done', 'archived', 'ready', 'todo', 'review'] as const)
      expect(look({ status })).toBeNull()
    expect(look({ status: 'scheduled', scheduledAt: null })).toBeNull()
    expect(look({ status: 'scheduled', scheduledAt: NOON, deletedAt: NOON })).toBeNull()
  })

  test('a scheduled card is due at its time', () => {
    expect(look({ status: 'scheduled', scheduledAt: NOON + HOUR })).toBe(NOON + HOUR)
  })

  test('a waiting card is due after both cool-down and guard', () => {
    expect(look({ status: 'ready', cooldownUntil: NOON + SECOND, guardUntil: NOON + MINUTE })).toBe(NOON + MINUTE)
    expect(look({ status: 'review', cooldownUntil: NOON + SECOND })).toBe(NOON + SECOND)
    expect(look({ status: 'todo', cooldownUntil: NOON })).toBeNull()
    expect(earliestStart({ cooldownUntil: null, guardUntil: null })).toBe(0)
  })

  test('a running card is due at the earliest deadline of its run', () => {
    const run = { startDeadlineAt: NOON + 30 * SECOND, leaseUntil: NOON + 2 * MINUTE, maxRuntimeMs: HOUR }
    expect(look({ status: 'running' }, run)).toBe(NOON + 30 * SECOND)
    expect(look({ status: 'running' }, { ...run, registeredAt: NOON })).toBe(NOON + 2 * MINUTE)
    expect(look({ status: 'running' }, { ...run, registeredAt: NOON, maxRuntimeMs: MINUTE })).toBe(NOON + MINUTE)
  })

  test('a card claimed by a person is never due', () => {
    expect(look({ status: 'running' }, { kind: 'manual', leaseUntil: NOON })).toBeNull()
  })
})

describe('the rank of a card', () => {
  const board = sampleBoard({ starvationMs: 15 * MINUTE })

  test('rank orders cards by priority, then by age', () => {
    const rank = (priority: number, createdAt = NOON): number => rankOf({ createdAt, priority, rankShift: 0 }, board)
    expect(rank(1)).toBeLessThan(rank(0))
    expect(rank(0, NOON - 1)).toBeLessThan(rank(0))
    expect(rank(-1)).toBeGreaterThan(rank(0))
  })

  test('no card starves, because waiting eventually outweighs priority', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.nat({ max: 20 }), (priority, steps) => {
        const old = rankOf({ createdAt: NOON, priority, rankShift: 0 }, board)
        const late = { createdAt: NOON + steps * 15 * MINUTE + 1, priority: priority + steps, rankShift: 0 }
        expect(old).toBeLessThan(rankOf(late, board))
      }),
    )
  })
})
