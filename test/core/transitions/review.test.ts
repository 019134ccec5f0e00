import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Task } from '../../../src/core/task.ts'
import { HOUR, card, clockwork, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard, blocked, changesAsked, complete, reviewAsked } from '../test-board.ts'

const ask = <E extends object>(board: TestBoard, name: string, extra: E = {} as E) => ({
  task: card(name),
  runId: board.mint().runId,
  ...extra,
})

describe('request_review', () => {
  test('requesting a review moves a ready card and stores the hand-off', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('request_review', ask(board, 'a', { summary: 'look\nplease', reviewer: 'Critic' }))
    expect(board.task('a')).toMatchObject({ status: 'review', reviewer: 'critic' })
    expect(board.run('a')).toMatchObject({ outcome: 'review_requested', summary: 'look\nplease' })
    expect(board.event('review_requested').data).toEqual({ reviewer: 'critic', summary: 'look' })
    board.check()
  })

  test('only a review request with a hand-off creates a run', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('request_review', ask(board, 'a'))
    expect(board.store.runs(card('a'))).toEqual([])
    board.create('b')
    board.do('claim_manual', ask(board, 'b'))
    board.do('request_review', ask(board, 'b'))
    expect(board.run('b').outcome).toBe('review_requested')
  })

  test('`request_review` is refused on running cards and for other workers', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('request_review', ask(board, 'a'), worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    board.claim('a')
    expect(board.refused('request_review', ask(board, 'a')).code).toBe('run_live')
    board.create('b', { triage: true })
    expect(board.refused('request_review', ask(board, 'b')).code).toBe('wrong_status')
  })
})

describe('request_changes', () => {
  const inReview = () => {
    const board = new TestBoard()
    board.create('a', { reviewer: 'critic' })
    board.attempt('a', { verdict: reviewAsked() })
    return board
  }

  test('requesting changes returns the card to its assignee', () => {
    const board = inReview()
    expect(board.do('request_changes', ask(board, 'a', { reason: 'no tests' })).status).toBe('ready')
    expect(board.task('a')).toMatchObject({ assignee: 'coder', status: 'ready' })
    expect(board.run('a')).toMatchObject({ outcome: 'changes_requested', summary: 'no tests' })
    board.claim('a')
  })

  test('requested changes wait in todo while a parent is open', () => {
    const board = inReview()
    board.create('p')
    board.do('link', { parent: card('p'), child: card('a') })
    expect(board.do('request_changes', ask(board, 'a', { reason: 'no' })).status).toBe('todo')
    board.check()
  })

  test('requesting changes closes the review run of a person', () => {
    const board = inReview()
    board.do('claim_manual', ask(board, 'a'))
    board.do('request_changes', ask(board, 'a', { reason: 'no' }))
    expect(board.run('a')).toMatchObject({ phase: 'review', outcome: 'changes_requested' })
  })

  test('`request_changes` is refused during a review run and outside a review', () => {
    const board = inReview()
    const asked = ask(board, 'a', { reason: 'no' })
    expect(board.refused('request_changes', asked, clockwork).code).toBe('not_allowed')
    board.claim('a', { agent: 'critic' })
    expect(board.refused('request_changes', asked).code).toBe('run_live')
    board.create('b')
    expect(board.refused('request_changes', ask(board, 'b', { reason: 'no' })).code).toBe('wrong_status')
  })
})

describe('a review', () => {
  const reviewed = (settings: ConstructorParameters<typeof TestBoard>[0] = {}) => {
    const board = new TestBoard(settings)
    board.create('a', { reviewer: 'critic' })
    board.attempt('a', { verdict: reviewAsked() })
    return board
  }
  const review = (board: TestBoard, ending: Parameters<TestBoard['attempt']>[1]) =>
    board.attempt('a', { ...ending, claim: { agent: 'critic' } })

  test("an approval keeps the author's result and records the time in review", () => {
    const board = reviewed()
    expect(board.task('a')).toMatchObject({ result: 'please look', reviewRequestedAt: board.now })
    board.advance(HOUR)
    review(board, { verdict: complete({ summary: 'LGTM', metadata: { seen: true } }) })
    expect(board.task('a')).toMatchObject({ status: 'done', result: 'please look', metadata: { seen: true } })
    expect(board.run('a')).toMatchObject({ phase: 'review', outcome: 'completed', summary: 'LGTM' })
    expect(board.event('approved').data).toEqual({ reviewer: 'agent:critic', summary: 'LGTM', waitedMs: HOUR })
    board.check()
  })

  test("the reviewer's summary becomes the result if the worker gave none", () => {
    const board = new TestBoard()
    board.create('a')
    board.do('request_review', ask(board, 'a'))
    board.do('complete', ask(board, 'a', { summary: 'did it myself' }))
    expect(board.task('a').result).toBe('did it myself')
    expect(board.event('approved').data).toMatchObject({ reviewer: 'ada', summary: 'did it myself' })
  })

  test('exit 0 approves the card, and any other exit is a failed review', () => {
    const board = reviewed()
    expect(review(board, { exitCode: 1, completesOnExit: true })).toMatchObject({
      outcome: 'crashed',
      status: 'review',
    })
    expect(board.task('a')).toMatchObject({ reviewFailures: 1, consecutiveFailures: 0 })
    expect(review(board, { completesOnExit: true, lastOutput: 'fine' }).status).toBe('done')
    expect(board.event('approved').data).toMatchObject({ summary: 'fine' })
  })

  test('the hand-off of a rejection starts with the reasons', () => {
    const board = reviewed()
    review(board, { verdict: { ...changesAsked('no tests'), summary: 'the rest is good' } })
    expect(board.run('a').summary).toBe('no tests\n\nthe rest is good')
    board.claim('a')
  })

  test('a new reviewer closes the breaker of a failed review', () => {
    const board = reviewed({ failureLimit: 2 })
    review(board, { exitCode: 1 })
    review(board, { exitCode: 1 })
    expect(board.task('a')).toMatchObject({ status: 'review', breakerOpen: true, reviewFailures: 2, blockKind: null })
    expect(board.refused('claim', board.claimInput('a', { agent: 'critic' }), clockwork).code).toBe('gate_closed')
    board.do('edit', { task: card('a'), set: { reviewer: 'judge' } })
    expect(board.task('a')).toMatchObject({ breakerOpen: false, reviewFailures: 0, cooldownUntil: null })
    board.claim('a', { agent: 'judge' })
    board.check()
  })

  test('a review with an open parent waits in review', () => {
    const board = reviewed()
    board.claim('a', { agent: 'critic' })
    board.create('p')
    board.do('link', { parent: card('p'), child: card('a') })
    board.settle('a', { verdict: blocked({ blockKind: 'dependency' }) })
    expect(board.status('a')).toBe('review')
    expect(board.refused('claim', board.claimInput('a', { agent: 'critic' }), clockwork).code).toBe('parents_open')
    expect(board.status('a')).toBe('review')
    board.complete('p')
    board.claim('a', { agent: 'critic' })
    board.check()
  })

  test('a blocked or scheduled review resumes as a review', () => {
    const board = reviewed()
    review(board, { verdict: blocked() })
    board.unblock('a')
    expect(board.status('a')).toBe('review')
    board.claim('a', { agent: 'critic' })
    board.do('schedule', { task: card('a'), at: board.now + HOUR })
    board.settle('a')
    expect(board.status('a')).toBe('scheduled')
    board.advance(HOUR)
    board.do('wake', { task: card('a') }, clockwork)
    expect(board.task('a')).toMatchObject({ status: 'review', resumeStatus: null })
    review(board, { verdict: blocked() })
    board.do('schedule', { task: card('a') })
    board.unblock('a')
    expect(board.status('a')).toBe('review')
    board.check()
  })

  test('work runs and review runs share the attempts limit', () => {
    const board = reviewed({ attemptsLimit: 4 })
    review(board, { verdict: changesAsked() })
    expect(board.status('a')).toBe('ready')
    board.attempt('a', { verdict: reviewAsked() })
    expect(review(board, { verdict: changesAsked('still not') })).toMatchObject({
      outcome: 'changes_requested',
      status: 'blocked',
    })
    expect(board.task('a')).toMatchObject({ blockKind: 'attempts', breakerOpen: true, resumeStatus: null })
    expect(board.event('changes_requested').data).toMatchObject({ reason: 'still not', status: 'blocked' })
    board.unblock('a')
    expect(board.status('a')).toBe('ready')
    board.check()
  })

  test('an approval by force ends a running check', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['npm test'] })
    board.do('request_review', ask(board, 'a', { summary: 'look' }))
    const { runId, tokenHash } = board.mint()
    board.do('approve', { task: card('a'), runId, checker: { tokenHash, machine: 'laptop' } })
    expect(board.do('approve', ask(board, 'a', { force: 'they hang' })).pending).toBe(true)
    expect(board.settle('a', { how: 'stopped' }).status).toBe('done')
    expect(board.event('approved').data).toMatchObject({ reviewer: 'ada' })
    board.check()
  })

  test('a verdict of the wrong phase is ignored, even from a file', () => {
    const board = reviewed()
    expect(review(board, { verdict: reviewAsked() })).toMatchObject({ outcome: 'protocol_violation', status: 'review' })
    expect(board.event('late_result').data).toMatchObject({ content: { kind: 'request_review' } })
    board.create('b')
    expect(board.attempt('b', { verdict: changesAsked() })).toMatchObject({ outcome: 'protocol_violation' })
    board.check()
  })
})

describe('the reviewer', () => {
  test("the board's reviewer reviews its own work only if the card names that reviewer", () => {
    const board = new TestBoard({ reviewer: 'coder' })
    board.create('own')
    board.create('other', { assignee: 'writer' })
    for (const name of ['own', 'other']) board.do('request_review', ask(board, name))
    board.claim('other')
    expect(board.refused('claim', board.claimInput('own'), clockwork).code).toBe('claim_lost')
    board.do('edit', { task: card('own'), set: { reviewer: 'coder' } })
    board.claim('own')
    expect(board.run('own')).toMatchObject({ phase: 'review', agent: 'coder' })
  })

  test('a worker may name any reviewer but itself', () => {
    const board = new TestBoard()
    board.create('a')
    const fence = board.claim('a')
    const self = board.workerOf('a', fence)
    const verdict = { task: card('a'), fence, verdict: reviewAsked('coder') }
    expect(board.refused('verdict', verdict, self).code).toBe('not_allowed')
    expect(board.refused('edit', { task: card('a'), set: { reviewer: 'coder' } }, self).code).toBe('not_allowed')
    board.giveVerdict('a', fence, reviewAsked('critic'))
    board.settle('a')
    expect(board.task('a')).toMatchObject({ status: 'review', reviewer: 'critic' })
  })

  test('a worker cannot create or edit a card to be reviewed by its assignee', () => {
    const board = new TestBoard()
    board.create('a')
    const self = board.workerOf('a', board.claim('a'))
    const made = (reviewer: string | null) => ({ cards: [{ id: card('b'), title: 'b', assignee: 'writer', reviewer }] })
    expect(board.refused('create', made('writer'), self).code).toBe('not_allowed')
    board.do('create', made('coder'), self)
    expect(board.refused('edit', { task: card('b'), set: { reviewer: 'writer' } }, self).code).toBe('not_allowed')
    board.do('edit', { task: card('b'), set: { reviewer: null } }, self)
    board.do('edit', { task: card('b'), set: { reviewer: 'writer' } })
    expect(board.task('b').reviewer).toBe('writer')
  })
})

const WORK = ['crash', 'silence', 'limit', 'ask'] as const
const REVIEW = ['crash', 'silence', 'limit', 'changes'] as const
const ENDINGS = {
  crash: { exitCode: 1 },
  silence: { exitCode: 0 },
  limit: { exitCode: 75 },
  ask: { verdict: reviewAsked() },
  changes: { verdict: changesAsked() },
} as const

type Counters = Pick<Task, 'consecutiveFailures' | 'protocolViolations' | 'reviewFailures'>

/** Returns the counters after a review. The counters of the worker do not change. */
const reviewStep = (before: Counters, how: (typeof REVIEW)[number]) => ({
  attempt: { ...ENDINGS[how], claim: { agent: 'critic' } },
  after: {
    consecutiveFailures: before.consecutiveFailures,
    protocolViolations: before.protocolViolations,
    reviewFailures: how === 'changes' ? 0 : before.reviewFailures + (how === 'limit' ? 0 : 1),
    status: how === 'changes' ? 'ready' : 'review',
  },
})

const workStep = (before: Counters, how: (typeof WORK)[number]) => ({
  attempt: ENDINGS[how],
  after: {
    consecutiveFailures: before.consecutiveFailures + (how === 'crash' ? 1 : 0),
    protocolViolations: how === 'ask' ? 0 : before.protocolViolations + (how === 'silence' ? 1 : 0),
    reviewFailures: 0,
    status: how === 'ask' ? 'review' : 'ready',
  },
})

test('author and reviewer have separate failure counters', () => {
  const steps = fc.array(fc.record({ work: fc.constantFrom(...WORK), review: fc.constantFrom(...REVIEW) }), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(steps, (all) => {
      const board = new TestBoard({ failureLimit: 100, protocolLimit: 100, attemptsLimit: 1000 })
      board.create('a', { reviewer: 'critic' })
      for (const ended of all) {
        const before = board.task('a')
        const step = before.status === 'review' ? reviewStep(before, ended.review) : workStep(before, ended.work)
        board.attempt('a', step.attempt)
        expect(board.task('a')).toMatchObject(step.after)
        board.check()
      }
    }),
    { numRuns: 60 },
  )
})
