import { describe, expect, test } from 'vitest'
import { card, clockwork, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

describe('reclaim', () => {
  test('reclaiming a manual claim ends the claim and clears the failures', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    expect(board.do('reclaim', { task: card('a'), reason: 'mine', assignee: 'tester' }).status).toBe('ready')
    expect(board.run('a')).toMatchObject({ outcome: 'reclaimed', summary: 'mine' })
    expect(board.task('a')).toMatchObject({ assignee: 'tester', consecutiveFailures: 0, cooldownUntil: null })
    expect(board.event('reclaimed').data).toEqual({ reason: 'mine', by: 'ada' })
    board.check()
  })

  test('reclaiming a review returns the card to review', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    expect(board.do('reclaim', { task: card('a') }).status).toBe('review')
  })

  test("reclaiming an agent's run waits for its settlement", () => {
    const board = new TestBoard()
    board.create('a')
    const { runId } = board.claim('a')
    expect(board.do('reclaim', { task: card('a') })).toMatchObject({ pending: true, runId, status: 'running' })
    expect(board.run('a').intent).toMatchObject({ verb: 'reclaim', by: 'ada' })
  })

  test('`reclaim` is refused on idle cards and for workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('reclaim', { task: card('a') }).code).toBe('wrong_status')
    board.claim('a')
    expect(board.refused('reclaim', { task: card('a') }, worker(card('a'), runOf('w'))).code).toBe('not_allowed')
  })
})

describe('stop', () => {
  test('`stop` ends the run and puts the card on hold', () => {
    const board = new TestBoard()
    board.create('a')
    board.claim('a')
    board.do('stop', { task: card('a'), reason: 'wrong branch' })
    board.settle('a', { how: 'stopped' })
    expect(board.task('a')).toMatchObject({ status: 'ready', held: true, consecutiveFailures: 0 })
    expect(board.event('stopped').data).toEqual({ reason: 'wrong branch', by: 'ada' })
    board.check()
  })

  test("`stop` is refused for the board and without an agent's run", () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('stop', { task: card('a') }).code).toBe('wrong_status')
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    expect(board.refused('stop', { task: card('a') }).message).toContain(`muster reclaim ${card('a')}`)
    expect(board.refused('stop', { task: card('a') }, clockwork).code).toBe('not_allowed')
  })
})
