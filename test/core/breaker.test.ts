// Tests that the failure limit stops a card, and that only a person lets the card continue.
import { describe, expect, test } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import type { BoardError } from '../../src/core/errors.ts'
import type { VerbInput, VerbName } from '../../src/core/transitions/index.ts'
import { card, clockwork, orchestrator, person } from '../helpers/sample.ts'
import { TestBoard, reviewAsked } from './test-board.ts'

const crash = { how: 'exited', exitCode: 1, error: 'boom' } as const

describe('a breaker that opens repeatedly', () => {
  test('a card goes to triage when its breaker opens a fourth time', () => {
    const board = new TestBoard()
    board.create('a')
    let runs = 0
    for (let round = 1; round <= 13 && board.status('a') !== 'triage'; round += 1) {
      for (const _ of [1, 2]) {
        board.attempt('a', crash)
        runs += 1
      }
      if (board.status('a') === 'blocked') board.unblock('a')
    }
    expect(runs).toBe(8)
    expect(board.task('a')).toMatchObject({ status: 'triage', blockKind: 'breaker', breakerOpen: true })
    expect(board.event('block_loop_detected', 'a').data).toMatchObject({ kind: 'breaker', recurrences: 4 })
    expect(board.refused('unblock', { task: card('a') }).code).toBe('wrong_status')
    expect(board.refused('promote', { task: card('a') }, orchestrator).code).toBe('not_allowed')
    board.check()
    // A person lets the card try again; the blocks of the last 24 hours still count.
    board.do('promote', { task: card('a') })
    expect([1, 2].map(() => board.attempt('a', crash).status)).toEqual(['ready', 'triage'])
  })
})

describe('an open breaker', () => {
  type Act = (board: TestBoard, by: Actor) => BoardError | null
  const attempted = <N extends VerbName>(verb: N, input: (board: TestBoard) => VerbInput<N>): [string, Act] => [
    verb,
    (board, actor) => {
      const outcome = board.store.decide<N>({ verb, board: 'main', actor, input: input(board) })
      return outcome.ok ? null : outcome.error
    },
  ]
  const task = card('a')
  const OF_BLOCKED: readonly [string, Act][] = [
    attempted('unblock', () => ({ task })),
    attempted('promote', () => ({ task })),
    attempted('schedule', () => ({ task, at: null })),
    attempted('complete', (board) => ({ task, runId: board.mint().runId })),
    attempted('edit', () => ({ task, set: {}, resetFailures: true })),
  ]
  const OF_REVIEW: readonly [string, Act][] = [
    attempted('approve', (board) => ({ task, runId: board.mint().runId })),
    attempted('request_changes', (board) => ({ task, runId: board.mint().runId, reason: 'again' })),
    attempted('reopen', () => ({ task })),
    attempted('complete', (board) => ({ task, runId: board.mint().runId })),
    attempted('block', (board) => ({ task, runId: board.mint().runId, reason: 'stuck' })),
  ]
  const agents: readonly Actor[] = [orchestrator, clockwork]

  test.each(OF_BLOCKED)('an agent cannot use %s to close the breaker of a blocked card', (_, act) => {
    const board = new TestBoard()
    board.create('a')
    for (const __ of [1, 2]) board.attempt('a', crash)
    for (const actor of agents) expect(act(board, actor)?.code).toBe('not_allowed')
    expect(board.task('a')).toMatchObject({ breakerOpen: true, blockKind: 'breaker', consecutiveFailures: 2 })
    expect(act(board, person)).toBeNull()
  })

  test.each(OF_REVIEW)('an agent cannot use %s to close the breaker of a review', (_, act) => {
    const board = new TestBoard({ reviewer: 'critic' })
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    for (const __ of [1, 2]) board.attempt('a', { ...crash, claim: { agent: 'critic' } })
    expect(board.task('a').breakerOpen).toBe(true)
    for (const actor of agents) expect(act(board, actor)?.code).toBe('not_allowed')
    board.do('edit', { task, set: { reviewer: 'judge' } }, orchestrator)
    board.do('assign', { task, assignee: 'writer' }, orchestrator)
    expect(board.task('a')).toMatchObject({ breakerOpen: true, reviewFailures: 2 })
    expect(act(board, person)).toBeNull()
  })

  test('the breaker stays open when an agent restores an archived card', () => {
    const board = new TestBoard()
    board.create('a')
    for (const _ of [1, 2]) board.attempt('a', crash)
    board.do('archive', { task }, orchestrator)
    expect(board.refused('reopen', { task }, orchestrator).code).toBe('not_allowed')
    board.do('unarchive', { task }, orchestrator)
    expect(board.task('a')).toMatchObject({ status: 'blocked', breakerOpen: true })
  })

  test('an agent cannot restart the count of attempts', () => {
    const board = new TestBoard()
    board.create('a')
    board.block('a')
    expect(board.refused('unblock', { task, reset: true }, orchestrator).code).toBe('not_allowed')
    expect(board.do('unblock', { task }, orchestrator).status).toBe('ready')
  })
})
