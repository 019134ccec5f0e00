import { describe, expect, test } from 'vitest'
import { HOUR, card, clockwork, commentOf, orchestrator, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard, blocked, reviewAsked } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('block', () => {
  test('a block stores its reason in a new run', () => {
    const board = new TestBoard()
    board.create('a')
    board.block('a', { reason: 'no key', kind: 'capability' })
    expect(board.task('a')).toMatchObject({ status: 'blocked', blockKind: 'capability', blockedBy: 'ada' })
    expect(board.run('a')).toMatchObject({ outcome: 'blocked', summary: 'no key', kind: 'manual' })
    expect(board.event('blocked').data).toEqual({ kind: 'capability', reason: 'no key', from: 'ready', recurrences: 1 })
    board.check()
  })

  test('a card blocked in review returns to review', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    board.block('a')
    expect(board.unblock('a').status).toBe('review')
  })

  test('blocking a card claimed by a person closes their run', () => {
    const board = new TestBoard()
    board.create('a')
    const { runId } = board.mint()
    board.do('claim_manual', { task: card('a'), runId })
    board.block('a')
    expect(board.run('a')).toMatchObject({ id: runId, outcome: 'blocked', summary: 'stuck' })
    board.check()
  })

  test('a dependency block ends when the open parent finishes', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a')
    const fence = board.claim('a')
    board.do('link', { parent: card('p'), child: card('a') }, board.workerOf('a', fence))
    board.giveVerdict('a', fence, blocked({ blockKind: 'dependency', reason: 'needs p' }))
    expect(board.settle('a')).toMatchObject({ outcome: 'blocked', status: 'todo' })
    expect(board.task('a')).toMatchObject({ blockKind: 'dependency', blockReason: 'needs p' })
    board.complete('p')
    expect(board.task('a')).toMatchObject({ status: 'ready', blockKind: null, blockReason: null })
    board.check()
  })

  test('a dependency block without open parents waits for a person', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.block('a', { kind: 'dependency' }).status).toBe('blocked')
    expect(board.task('a').blockKind).toBe('needs_input')
  })

  test('repeated blocks of one kind send the card to triage', () => {
    const board = new TestBoard()
    board.create('a')
    for (let nth = 1; nth < 4; nth += 1) {
      expect(board.block('a').status).toBe('blocked')
      board.unblock('a')
      board.advance(HOUR)
    }
    expect(board.block('a').status).toBe('triage')
    expect(board.kinds('a').at(-1)).toBe('block_loop_detected')
    expect(board.refused('unblock', { task: card('a') }).message).toContain('is in triage: promote it instead.')
    expect(board.do('specify', { task: card('a') }).status).toBe('ready')
    expect(board.task('a')).toMatchObject({ recentBlocks: [], blockKind: null })
  })

  test('a repeated block changes nothing', () => {
    const board = new TestBoard()
    board.create('a')
    const asked = { task: card('a'), runId: board.mint().runId, reason: 'stuck' }
    board.do('block', asked)
    const before = board.store.state()
    expect(board.do('block', asked)).toMatchObject({ status: 'blocked', runId: asked.runId })
    expect(board.store.state()).toEqual(before)
  })

  test('`block` is refused in other statuses and for other workers', () => {
    const board = new TestBoard()
    board.create('a', { triage: true })
    board.create('b')
    const ask = (name: string) => ({ task: card(name), runId: runOf('x'), reason: 'no' })
    expect(board.refused('block', ask('a')).code).toBe('wrong_status')
    expect(board.refused('block', ask('b'), stranger).code).toBe('not_allowed')
    expect(board.refused('block', { ...ask('b'), reason: ' ' }).code).toBe('invalid_input')
    board.complete('b')
    expect(board.refused('block', ask('b')).code).toBe('wrong_status')
  })
})

describe('unblock', () => {
  test('`unblock` clears consecutive failures and keeps the attempts window', () => {
    const board = new TestBoard({ failureLimit: 1 })
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    expect(board.do('unblock', { task: card('a'), answer: { id: commentOf(1), text: 'fixed the key' } }).status).toBe(
      'ready',
    )
    expect(board.task('a')).toMatchObject({
      consecutiveFailures: 0,
      breakerOpen: false,
      blockKind: null,
      lastError: null,
      attemptsSince: 0,
    })
    expect(board.event('unblocked').data).toEqual({ status: 'ready', reason: 'fixed the key' })
  })

  test('a card with an open parent is unblocked to todo', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a')
    board.block('a')
    board.do('link', { parent: card('p'), child: card('a') })
    expect(board.unblock('a').status).toBe('todo')
    board.check()
  })

  test('a card with an archived parent is unblocked to ready', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'], blocked: true })
    board.do('archive', { task: card('p') })
    expect(board.unblock('a').status).toBe('ready')
    board.check()
  })

  test('`unblock` makes a scheduled card ready', () => {
    const board = new TestBoard()
    board.create('a', { scheduledAt: board.now + HOUR })
    expect(board.unblock('a').status).toBe('ready')
    expect(board.task('a')).toMatchObject({ scheduledAt: null, dueAt: null })
  })

  test('`unblock` is refused for workers and on cards that are not blocked', () => {
    const board = new TestBoard()
    board.create('a')
    board.block('a')
    for (const actor of [stranger, clockwork])
      expect(board.refused('unblock', { task: card('a') }, actor).code).toBe('not_allowed')
    board.do('unblock', { task: card('a') }, orchestrator)
    expect(board.refused('unblock', { task: card('a') }).code).toBe('wrong_status')
    expect(board.refused('unblock', { task: card('x') }).code).toBe('task_not_found')
  })
})
