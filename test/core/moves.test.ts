import { describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import { blockMove, completeMove, eventSummary, requestReviewMove, scheduleMove } from '../../src/core/moves.ts'
import type { Task } from '../../src/core/task.ts'
import type { AskedBlockKind } from '../../src/core/vocabulary.ts'
import { DAY, HOUR, NOON, runOf, sampleTask } from '../helpers/sample.ts'

const block = (task: Partial<Task>, kind: AskedBlockKind, { now = NOON, inReview = false } = {}) =>
  blockMove(
    sampleTask(task),
    { kind, reason: 'stuck', by: 'ada' },
    { settings: DEFAULT_SETTINGS, now, runId: runOf('r'), inReview },
  )

/** Blocks and unblocks a card repeatedly, `apart` milliseconds apart, and returns the status after each block. */
function blocks(kinds: readonly AskedBlockKind[], apart = HOUR): string[] {
  let task = sampleTask()
  return kinds.map((kind, at) => {
    const { patch } = block(task, kind, { now: NOON + at * apart })
    task = { ...task, ...patch, status: 'ready' }
    return patch.status ?? ''
  })
}

describe('a block', () => {
  test('a block stores its author, reason, kind and count', () => {
    const { patch, events } = block({}, 'capability')
    expect(patch).toMatchObject({ status: 'blocked', blockKind: 'capability', blockReason: 'stuck', blockedBy: 'ada' })
    expect(events).toEqual([
      {
        kind: 'blocked',
        taskId: sampleTask().id,
        runId: runOf('r'),
        data: { kind: 'capability', reason: 'stuck', from: 'ready', recurrences: 1 },
      },
    ])
  })

  test('a blocked review returns to review', () => {
    expect(block({}, 'needs_input', { inReview: true }).patch.resumeStatus).toBe('review')
    expect(block({}, 'needs_input').patch.resumeStatus).toBeNull()
  })

  test('the fourth block of one kind within a day goes to triage', () => {
    expect(blocks(['transient', 'transient', 'transient', 'transient'])).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'triage',
    ])
  })

  test('blocks of different kinds, or days apart, are not a loop', () => {
    const mixed: AskedBlockKind[] = ['transient', 'needs_input', 'transient', 'needs_input', 'transient', 'needs_input']
    expect(blocks(mixed)).not.toContain('triage')
    expect(blocks(['transient', 'transient', 'transient', 'transient', 'transient'], DAY / 2)).not.toContain('triage')
  })

  test('blocks that ask for a review are never a loop', () => {
    expect(blocks(Array.from({ length: 8 }, () => 'review'))).not.toContain('triage')
  })

  test('the event of a block loop has the number of blocks', () => {
    const recentBlocks = [1, 2, 3].map((hours) => ({ kind: 'transient' as const, at: NOON - hours * HOUR }))
    expect(block({ recentBlocks }, 'transient').events[0]).toMatchObject({
      kind: 'block_loop_detected',
      data: { kind: 'transient', reason: 'stuck', recurrences: 4 },
    })
  })
})

describe('a dependency block', () => {
  test('a dependency block waits for open parents and does not count', () => {
    const { patch, events } = block({ openParents: 1, status: 'running' }, 'dependency')
    expect(patch).toMatchObject({ status: 'todo', blockKind: 'dependency' })
    expect(patch.recentBlocks).toBeUndefined()
    expect(events[0]).toMatchObject({ kind: 'dependency_waited', data: { from: 'running' } })
  })

  test('a dependency block without an open parent waits for a person', () => {
    expect(block({ openParents: 0 }, 'dependency').patch).toMatchObject({ status: 'blocked', blockKind: 'needs_input' })
  })
})

describe('a completion', () => {
  const handOff = { summary: 'Wrote it.\nAll of it.', result: null, metadata: { files: 3 } }

  test('the card keeps the whole hand-off, and the event keeps only the first line', () => {
    const { patch, events } = completeMove(sampleTask(), handOff, { now: NOON, runId: runOf('r') })
    expect(patch).toMatchObject({ status: 'done', completedAt: NOON, result: handOff.summary, metadata: { files: 3 } })
    expect(events).toEqual([
      { kind: 'completed', taskId: sampleTask().id, runId: runOf('r'), data: { summary: 'Wrote it.' } },
    ])
  })

  test('a completion without a hand-off keeps the earlier result', () => {
    const task = sampleTask({ result: 'old', metadata: { a: 1 } })
    const silent = { summary: null, result: null, metadata: null }
    expect(completeMove(task, silent, { now: NOON, runId: null }).patch).toMatchObject({
      result: 'old',
      metadata: { a: 1 },
    })
  })

  test('a completion clears counters, waits and blocks', () => {
    const task = sampleTask({
      consecutiveFailures: 1,
      breakerOpen: true,
      blockKind: 'breaker',
      blockReason: 'x',
      scheduledAt: NOON,
      recentBlocks: [{ kind: 'transient', at: NOON }],
    })
    expect(completeMove(task, handOff, { now: NOON, runId: null }).patch).toMatchObject({
      consecutiveFailures: 0,
      breakerOpen: false,
      blockKind: null,
      recentBlocks: [],
      scheduledAt: null,
      attemptsSince: NOON,
      cooldownUntil: null,
    })
  })

  test('a completion records force, verified cards and files', () => {
    const extra = { now: NOON, runId: null, forced: 'demo', verifiedCards: [sampleTask().id], artifacts: ['a.txt'] }
    expect(completeMove(sampleTask(), handOff, extra).events[0]?.data).toEqual({
      summary: 'Wrote it.',
      forced: 'demo',
      verifiedCards: [sampleTask().id],
      artifacts: ['a.txt'],
    })
  })
})

describe('other moves', () => {
  test('the summary of an event falls back to the result', () => {
    expect(eventSummary({ summary: ' \n ', result: 'done it\nall' })).toBe('done it')
    expect(eventSummary({ summary: null })).toBe('')
  })

  test('scheduling ends a block and closes its breaker', () => {
    const task = sampleTask({ status: 'blocked', blockKind: 'breaker', breakerOpen: true })
    const { patch } = scheduleMove(task, { at: NOON + HOUR, reason: null, runId: null, inReview: false })
    expect(patch).toMatchObject({ status: 'scheduled', scheduledAt: NOON + HOUR, blockKind: null, breakerOpen: false })
  })

  test("a review request without a reviewer keeps the card's reviewer", () => {
    const task = sampleTask({ reviewer: 'critic', reviewFailures: 2 })
    const ask = (reviewer: string | null) =>
      requestReviewMove(task, { reviewer, summary: null, metadata: null, now: NOON, runId: null }).patch
    expect(ask('judge')).toMatchObject({ status: 'review', reviewer: 'judge', reviewFailures: 0 })
    expect(ask(null)).toMatchObject({ reviewer: 'critic' })
  })
})
