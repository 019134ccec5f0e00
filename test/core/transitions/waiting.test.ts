import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, card, clockwork, commentOf, orchestrator, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('schedule', () => {
  test('a scheduled card wakes at its time', () => {
    const board = new TestBoard()
    board.create('a')
    const at = board.now + HOUR
    board.do('schedule', { task: card('a'), at, reason: 'tonight' })
    expect(board.task('a')).toMatchObject({ status: 'scheduled', scheduledAt: at, dueAt: at })
    expect(board.do('wake', { task: card('a') }, clockwork).status).toBe('scheduled')
    board.advance(HOUR)
    expect(board.do('wake', { task: card('a') }, clockwork).status).toBe('ready')
    expect(board.event('promoted').data).toEqual({ cause: 'schedule' })
    expect(board.task('a')).toMatchObject({ scheduledAt: null, dueAt: null })
  })

  test('a card scheduled without a time waits for unblock', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('schedule', { task: card('a') })
    expect(board.task('a').dueAt).toBeNull()
    board.advance(365 * 24 * HOUR)
    expect(board.do('wake', { task: card('a') }, clockwork).status).toBe('scheduled')
    expect(board.unblock('a').status).toBe('ready')
  })

  test('a scheduled card with an open parent moves to todo when its time comes', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { scheduledAt: board.now + MINUTE, parents: ['p'] })
    board.advance(MINUTE)
    expect(board.do('wake', { task: card('a') }, clockwork).status).toBe('todo')
    expect(board.event('dependency_waited').data).toMatchObject({ from: 'scheduled' })
    board.check()
  })

  test('scheduling a card stops the run of a person', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    board.do('schedule', { task: card('a') })
    expect(board.run('a').outcome).toBe('stopped')
    board.check()
  })

  test('only a person may schedule a card that the board stopped', () => {
    const board = new TestBoard({ failureLimit: 1 })
    board.startWorker('w')
    board.create('a', { by: stranger, commandsApproved: true })
    board.attempt('a', { exitCode: 1 })
    expect(board.refused('schedule', { task: card('a') }, stranger).code).toBe('not_allowed')
    board.do('schedule', { task: card('a'), at: board.now })
    expect(board.task('a')).toMatchObject({ status: 'scheduled', blockKind: null, breakerOpen: false })
    board.check()
  })

  test('`schedule` is refused for finished, triage and review cards', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('schedule', { task: card('a') }, stranger).code).toBe('not_allowed')
    board.complete('a')
    board.create('b', { triage: true })
    board.create('c')
    board.do('request_review', { task: card('c'), runId: board.mint().runId })
    for (const name of ['a', 'b', 'c'])
      expect(board.refused('schedule', { task: card(name) }).code).toBe('wrong_status')
  })
})

describe('wake', () => {
  test('`wake` clears the deadline of a card whose wait is over', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    const events = board.kinds().length
    board.advance(MINUTE)
    board.do('wake', { task: card('a') }, clockwork)
    expect(board.task('a').dueAt).toBeNull()
    expect(board.kinds()).toHaveLength(events)
  })

  test('waking a card too early keeps its deadline', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 1 })
    const { dueAt } = board.task('a')
    board.do('wake', { task: card('a') }, clockwork)
    expect(board.task('a').dueAt).toBe(dueAt)
    expect(board.refused('wake', { task: card('x') }).code).toBe('task_not_found')
  })
})

describe('promote', () => {
  test('`promote` makes a card in triage ready', () => {
    const board = new TestBoard()
    board.create('a', { triage: true })
    board.do('promote', { task: card('a') })
    expect(board.task('a')).toMatchObject({ status: 'ready' })
  })

  test('`promote` is refused while parents are open, and the error names them', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    expect(board.refused('promote', { task: card('a') })).toMatchObject({
      code: 'parents_open',
      details: { parents: [card('p')] },
    })
  })

  test('a forced promote waives the open links, but not later ones', () => {
    const board = new TestBoard()
    for (const name of ['p', 'q', 'r']) board.create(name)
    board.create('a', { parents: ['p', 'q'] })
    board.do('promote', { task: card('a'), force: true, answer: { id: commentOf(1), text: 'now' } })
    expect(board.task('a')).toMatchObject({ status: 'ready', openParents: 0 })
    expect(board.store.link(card('p'), card('a'))).toMatchObject({ waivedBy: 'ada', waivedAt: board.now })
    expect(board.kinds('a')).toEqual(['created', 'promoted_manual'])
    expect(board.event('promoted_manual').data).toEqual({ reason: 'now', forced: true, waived: [card('p'), card('q')] })
    board.check()
    board.claim('a')
    board.settle('a', { how: 'interrupted' })
    expect(board.status('a')).toBe('ready')
    board.do('link', { parent: card('r'), child: card('a') })
    expect(board.status('a')).toBe('todo')
    board.check()
  })

  test('promoting a ready card ends its wait and keeps its failures', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('promote', { task: card('a') }).code).toBe('wrong_status')
    board.attempt('a', { exitCode: 1 })
    board.do('promote', { task: card('a') })
    expect(board.task('a')).toMatchObject({ cooldownUntil: null, dueAt: null, consecutiveFailures: 1 })
  })

  test('`promote` is refused for workers and for the board', () => {
    const board = new TestBoard()
    board.create('a')
    board.block('a')
    for (const actor of [stranger, clockwork])
      expect(board.refused('promote', { task: card('a') }, actor).code).toBe('not_allowed')
    expect(board.do('promote', { task: card('a') }, orchestrator).status).toBe('ready')
  })
})

describe('hold and release', () => {
  test('a held card does not start until it is released', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('hold', { task: card('a'), reason: 'wait' })
    expect(board.event('held').data).toEqual({ reason: 'wait' })
    expect(board.refused('claim', board.claimInput('a')).details).toMatchObject({ reason: { gate: 'hold' } })
    board.do('release', { task: card('a') })
    board.claim('a')
  })

  test('only release ends a hold', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    board.do('hold', { task: card('a') })
    board.complete('p')
    board.block('a')
    board.unblock('a')
    expect(board.task('a')).toMatchObject({ status: 'ready', held: true })
  })

  test('repeated hold and release change nothing', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('release', { task: card('a') })
    board.do('hold', { task: card('a') })
    board.do('hold', { task: card('a') })
    expect(board.kinds('a')).toEqual(['created', 'held'])
  })

  test('a worker can hold its cards, but cannot release them', () => {
    const board = new TestBoard()
    board.startWorker('w')
    board.create('a', { by: stranger })
    board.do('hold', { task: card('a') }, stranger)
    expect(board.refused('release', { task: card('a') }, stranger).code).toBe('not_allowed')
    board.complete('a')
    expect(board.refused('hold', { task: card('a') }).code).toBe('wrong_status')
  })
})
