import { describe, expect, test } from 'vitest'
import { card, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

/** Sends one command twice, and counts the events of the second call. */
const twice = (board: TestBoard, send: () => unknown): { answer: unknown; again: unknown; written: number } => {
  const answer = send()
  const before = board.store.events().length
  const again = send()
  return { answer, again, written: board.store.events().length - before }
}

describe('a repeated command', () => {
  test('a repeated `complete` finishes the card once', () => {
    const board = new TestBoard()
    board.create('a')
    const input = { task: card('a'), runId: board.mint().runId, summary: 'by hand' }
    const { answer, again, written } = twice(board, () => board.do('complete', input))
    expect(again).toEqual(answer)
    expect(written).toBe(0)
    expect(board.store.runs(card('a'))).toHaveLength(1)
  })

  test('a repeated `block` counts once for the loop breaker', () => {
    const board = new TestBoard()
    board.create('a')
    const input = { task: card('a'), runId: board.mint().runId, reason: 'which colour?' }
    const { answer, again, written } = twice(board, () => board.do('block', input))
    expect(again).toEqual(answer)
    expect(written).toBe(0)
    expect(board.task('a').recentBlocks).toHaveLength(1)
  })

  test('a repeated request for review or changes writes no event', () => {
    const board = new TestBoard()
    board.create('a')
    const review = { task: card('a'), runId: board.mint().runId, summary: 'please look' }
    expect(twice(board, () => board.do('request_review', review)).written).toBe(0)
    const changes = { task: card('a'), runId: board.mint().runId, reason: 'too short' }
    expect(twice(board, () => board.do('request_changes', changes)).written).toBe(0)
    expect(board.status('a')).toBe('ready')
  })
})

describe('a command on a live run', () => {
  test('a worker cannot use commands on its own live run', () => {
    const board = new TestBoard()
    board.create('a')
    board.claim('a')
    const mine = worker(card('a'), board.run('a').id)
    for (const verb of ['archive', 'delete', 'schedule'] as const)
      expect(board.refused(verb, { task: card('a') }, mine).code).toBe('not_allowed')
    expect(board.refused('block', { task: card('a'), runId: board.mint().runId, reason: 'x' }, mine).code).toBe(
      'not_allowed',
    )
    expect(board.run('a').intent).toBeNull()
  })
})
