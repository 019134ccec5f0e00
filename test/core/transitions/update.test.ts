import { describe, expect, test } from 'vitest'
import type { Actor } from '../../../src/core/actor.ts'
import type { Status } from '../../../src/core/vocabulary.ts'
import { HOUR, card, commentOf, person, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const to = (status: Status, more: object = {}) => ({
  status,
  runId: runOf('update'),
  commentId: commentOf('update'),
  ...more,
})

/** Brings a new card `a` to a status. */
const START: Readonly<Record<string, (board: TestBoard) => void>> = {
  triage: (board) => void board.create('a', { triage: true }),
  todo: (board) => void (board.create('p'), board.create('a', { parents: ['p'] })),
  ready: (board) => void board.create('a'),
  running: (board) => void (board.create('a'), board.claim('a')),
  claimed: (board) => {
    board.create('a')
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
  },
  blocked: (board) => void board.create('a', { blocked: true }),
  scheduled: (board) => void (board.create('a'), board.do('schedule', { task: card('a') })),
  review: (board) => {
    board.create('a')
    board.do('request_review', { task: card('a'), runId: board.mint().runId })
  },
  done: (board) => void (board.create('a'), board.complete('a')),
  archived: (board) => void (board.create('a'), board.do('archive', { task: card('a') })),
}

/** The event that shows which verb each change of status uses. All other changes are refused. */
const MOVES: Readonly<Record<string, Readonly<Partial<Record<Status, string>>>>> = {
  triage: { ready: 'promoted_manual', archived: 'archived' },
  todo: { scheduled: 'scheduled', archived: 'archived' },
  ready: {
    scheduled: 'scheduled',
    blocked: 'blocked',
    review: 'review_requested',
    done: 'completed',
    archived: 'archived',
  },
  running: {
    scheduled: 'intent_recorded',
    blocked: 'intent_recorded',
    done: 'intent_recorded',
    archived: 'intent_recorded',
  },
  claimed: {
    scheduled: 'scheduled',
    blocked: 'blocked',
    review: 'review_requested',
    done: 'completed',
    archived: 'archived',
  },
  blocked: { ready: 'unblocked', scheduled: 'scheduled', done: 'completed', archived: 'archived' },
  scheduled: { ready: 'unblocked', archived: 'archived' },
  review: { ready: 'reopened', blocked: 'blocked', done: 'approved', archived: 'archived' },
  done: { ready: 'reopened', archived: 'archived' },
  archived: { ready: 'unarchived' },
}

const STATUSES = ['triage', 'todo', 'scheduled', 'ready', 'running', 'review', 'blocked', 'done', 'archived'] as const

const cases = Object.keys(START).flatMap((from) =>
  STATUSES.map((status) => [from, status, MOVES[from]?.[status]] as const),
)
const isOwn = (from: string, status: string): boolean => status === (from === 'claimed' ? 'running' : from)
const moves = cases.flatMap(([from, status, event]) => (event === undefined ? [] : [[from, status, event] as const]))
const refused = cases.filter(([from, status, event]) => event === undefined && !isOwn(from, status))

/** Brings card `a` to a status, and requests another status together with another priority. */
function request(from: string, status: Status) {
  const board = new TestBoard()
  START[from]?.(board)
  const [before, known] = [board.task('a'), board.kinds('a').length]
  const input = { task: card('a'), set: { priority: 3 }, to: to(status, { reason: 'why' }) }
  const outcome = board.store.decide({ verb: 'update', board: 'main', actor: person, input })
  board.check()
  return { board, before, outcome, events: board.kinds('a').slice(known) }
}

test.each(moves)('a change of status from %s to %s writes the event %s', (from, status, event) => {
  const { board, outcome, events } = request(from, status)
  expect(outcome).toMatchObject({ ok: true })
  expect(events).toContain(event)
  expect(board.task('a')).toMatchObject({ priority: 3, status: from === 'running' ? 'running' : status })
})

test.each(refused)('a refused change of status from %s to %s changes nothing', (from, status) => {
  const { board, before, outcome, events } = request(from, status)
  const code = expect.stringMatching(/wrong_status|parents_open|run_live/) as string
  expect(outcome).toMatchObject({ ok: false, error: { code } })
  expect([board.task('a'), events]).toEqual([before, []])
})

test.each(STATUSES)('an update of a card to its own status %s changes only the other fields', (status) => {
  const { board, before, events } = request(status, status)
  expect(events).toEqual(['reprioritized'])
  expect(board.task('a')).toMatchObject({ priority: 3, status: before.status })
})

describe('an update', () => {
  test('a refused part leaves the whole card unchanged', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    const before = board.task('a')
    const input = { task: card('a'), set: { title: 'New' }, assignee: 'tester', to: to('ready') }
    expect(board.refused('update', input)).toMatchObject({ code: 'parents_open' })
    expect([board.task('a'), board.kinds('a')]).toEqual([before, ['created']])
  })

  test('fields, assignee and status change in one decision', () => {
    const board = new TestBoard()
    board.create('a', { triage: true })
    const input = { task: card('a'), set: { title: 'New', priority: 2 }, assignee: 'tester', to: to('ready') }
    expect(board.do('update', input)).toMatchObject({ status: 'ready', pending: false })
    expect(board.task('a')).toMatchObject({ title: 'New', priority: 2, assignee: 'tester', status: 'ready' })
    expect(board.kinds('a')).toEqual(['created', 'edited', 'reprioritized', 'assigned', 'promoted_manual'])
    board.check()
  })

  test('the status step sees the checks that the same update sets', () => {
    const board = new TestBoard()
    board.create('a')
    const input = { task: card('a'), set: { checks: ['npm test'] }, to: to('done') }
    expect(board.refused('update', input)).toMatchObject({ code: 'checks_required' })
    expect(board.task('a').checks).toEqual([])
  })

  test('a card with an unfinished parent cannot become ready', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'], blocked: true })
    expect(board.refused('update', { task: card('a'), to: to('ready') }).message).toMatch(/would be todo, not ready/)
    expect(board.do('update', { task: card('a'), to: to('todo') }).status).toBe('todo')
  })

  test('finishing a card takes the summary and the result of the update', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('update', { task: card('a'), handOff: { result: 'forty-two', summary: 'counted' }, to: to('done') })
    expect(board.task('a')).toMatchObject({ status: 'done', result: 'forty-two' })
    expect(board.run('a')).toMatchObject({ outcome: 'completed', summary: 'counted' })
    board.do('update', { task: card('a'), handOff: { result: 'forty-three' } })
    expect(board.task('a').result).toBe('forty-three')
    board.check()
  })

  test('the result of an unfinished card cannot be corrected', () => {
    const board = new TestBoard()
    board.create('a')
    const input = { task: card('a'), set: { title: 'New' }, handOff: { result: 'early' } }
    expect(board.refused('update', input)).toMatchObject({ code: 'wrong_status' })
    expect(board.task('a').title).toBe('Card a')
  })

  test('a running card moves to ready only with clearClaim', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('claim_manual', { task: card('a'), runId: board.mint().runId })
    expect(board.refused('update', { task: card('a'), to: to('ready') }).message).toMatch(/clearClaim/)
    expect(board.refused('update', { task: card('a'), clearClaim: true, to: to('done') }).message).toMatch(/would be/)
    board.do('update', { task: card('a'), clearClaim: true, assignee: 'tester', to: to('ready') })
    expect(board.task('a')).toMatchObject({ status: 'ready', assignee: 'tester' })
    expect(board.run('a').outcome).toBe('reclaimed')
    board.check()
  })

  test('a live run ends before the status changes, and the fields change at once', () => {
    const board = new TestBoard()
    board.create('a')
    const { runId } = board.claim('a')
    const result = board.do('update', { task: card('a'), set: { title: 'New' }, to: to('blocked', { reason: 'wait' }) })
    expect(result).toMatchObject({ pending: true, runId })
    expect(board.task('a')).toMatchObject({ status: 'running', title: 'New' })
    board.settle('a')
    expect(board.status('a')).toBe('blocked')
  })

  test('the time of a scheduled card can change', () => {
    const board = new TestBoard()
    START['scheduled']?.(board)
    const at = board.now + HOUR
    board.do('update', { task: card('a'), to: to('scheduled', { scheduledAt: at }) })
    expect(board.task('a').scheduledAt).toBe(at)
  })

  test('a card that changed after it was read is not updated', () => {
    const board = new TestBoard()
    board.create('a')
    const unchangedSince = board.task('a').updatedAt
    board.advance(1)
    board.do('update', { task: card('a'), set: { title: 'First' }, unchangedSince })
    expect(board.refused('update', { task: card('a'), set: { title: 'Second' }, unchangedSince })).toMatchObject({
      code: 'card_changed',
    })
    expect(board.task('a').title).toBe('First')
  })

  test('a worker may update only its own card, and opens no gate', () => {
    const board = new TestBoard()
    const own: Actor = board.startWorker('a')
    board.create('b', { blocked: true })
    expect(board.refused('update', { task: card('b'), to: to('ready') }, own)).toMatchObject({ code: 'not_allowed' })
    expect(board.refused('update', { task: card('a'), to: to('done') }, worker(card('a'), runOf('a')))).toMatchObject({
      code: 'not_allowed',
    })
  })
})
