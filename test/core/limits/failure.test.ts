import { describe, expect, test } from 'vitest'
import { respawnGuard } from '../../../src/core/limits/failure.ts'
import { DEFAULT_SETTINGS } from '../../../src/core/board.ts'
import { DAY, HOUR, MINUTE, NOON, SECOND, card, commentOf, orchestrator } from '../../helpers/sample.ts'
import { TestBoard, changesAsked, complete, reviewAsked } from '../test-board.ts'

const crash = { how: 'exited', exitCode: 1, error: 'boom' } as const

describe("an agent's own failure", () => {
  test.each([
    ['exited', 1, 'crashed'],
    ['timed_out', null, 'timed_out'],
    ['turn_limit', null, 'timed_out'],
    ['spawn_failed', null, 'spawn_failed'],
    ['checks_failed', 0, 'checks_failed'],
  ] as const)('the ending %s (exit %s) counts as %s, and the card waits', (how, exitCode, outcome) => {
    const board = new TestBoard()
    board.create('a')
    expect(board.attempt('a', { how, exitCode })).toMatchObject({ outcome, status: 'ready' })
    expect(board.task('a')).toMatchObject({
      consecutiveFailures: 1,
      protocolViolations: 0,
      cooldownUntil: board.now + 5 * SECOND,
      cooldownReason: 'retry',
      dueAt: board.now + 5 * SECOND,
      breakerOpen: false,
    })
    expect(board.kinds('a').slice(-1)).toEqual([outcome])
    board.check()
  })

  test('the wait doubles with each failure', () => {
    const board = new TestBoard({ failureLimit: 20 })
    board.create('a')
    const waits = Array.from({ length: 4 }, () => {
      board.attempt('a', crash)
      return (board.task('a').cooldownUntil ?? 0) - board.now
    })
    expect(waits).toEqual([5, 10, 20, 40].map((seconds) => seconds * SECOND))
  })

  test('the breaker opens at the failure limit and closes with unblock', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', crash)
    expect(board.attempt('a', crash)).toMatchObject({ outcome: 'crashed', status: 'blocked' })
    expect(board.task('a')).toMatchObject({
      breakerOpen: true,
      blockKind: 'breaker',
      blockReason: '2 failures in a row (crashed): boom',
      blockedBy: 'muster:breaker',
      consecutiveFailures: 2,
      cooldownUntil: null,
      dueAt: null,
    })
    expect(board.event('gave_up').data).toEqual({ failures: 2, limit: 2, trigger: 'crashed', error: 'boom' })
    expect(board.refused('claim', board.claimInput('a'))).toMatchObject({ code: 'gate_closed' })
    board.unblock('a')
    expect(board.task('a')).toMatchObject({
      breakerOpen: false,
      consecutiveFailures: 0,
      status: 'ready',
      lastError: null,
    })
  })

  test("the card's own failure limit overrides the board's", () => {
    const board = new TestBoard()
    board.create('a', { maxRetries: 1 })
    board.create('b', { maxRetries: 4 })
    expect(board.attempt('a', crash).status).toBe('blocked')
    board.attempt('b', crash)
    expect(board.attempt('b', crash).status).toBe('ready')
  })

  test('an error is cut to 500 characters, never inside an emoji', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { ...crash, error: `${'x'.repeat(499)}🙂` })
    expect(board.task('a').lastError).toBe('x'.repeat(499))
    expect(board.run('a').error).toBe(`${'x'.repeat(499)}🙂`)
  })

  test('a failure without an error shows its exit status and last output', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { how: 'exited', exitCode: 3, lastOutput: `${'.'.repeat(500)}no space left\n` })
    expect(board.task('a').lastError).toMatch(/^exit 3: \.+no space left$/)
    board.attempt('a', { how: 'exited', exitCode: null, signal: 'SIGKILL' })
    expect(board.task('a').lastError).toBe('killed by SIGKILL')
  })

  test('success clears the failures of a card', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', crash)
    board.attempt('a', { verdict: complete() })
    expect(board.task('a')).toMatchObject({ status: 'done', consecutiveFailures: 0, lastError: null })
  })
})

describe('an ending that does not count as a failure', () => {
  test.each(['stale', 'interrupted'] as const)(
    'the ending %s does not count as a failure and causes no wait',
    (how) => {
      const board = new TestBoard()
      board.create('a')
      board.attempt('a', crash)
      board.attempt('a', { how })
      expect(board.task('a')).toMatchObject({ status: 'ready', consecutiveFailures: 1, cooldownUntil: null })
      expect(board.kinds('a').at(-1)).toBe(how)
    },
  )

  test('a stopped run puts its card on hold', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { how: 'stopped' })
    expect(board.task('a')).toMatchObject({ status: 'ready', held: true, consecutiveFailures: 0 })
  })
})

describe('a rate limit', () => {
  test('rate limits never block a card, and the wait doubles up to an hour', () => {
    const board = new TestBoard()
    board.create('a')
    const waits = Array.from({ length: 30 }, () => {
      board.attempt('a', { how: 'rate_limited' })
      return ((board.task('a').cooldownUntil ?? 0) - board.now) / MINUTE
    })
    expect(waits.slice(0, 6)).toEqual([5, 10, 20, 40, 60, 60])
    expect(board.task('a')).toMatchObject({
      status: 'ready',
      consecutiveFailures: 0,
      rateLimits: 30,
      breakerOpen: false,
    })
    expect(board.task('a').cooldownReason).toBe('rate_limit')
  })

  test('a card waits for the reset time that the provider named', () => {
    const board = new TestBoard()
    board.create('a')
    const retryAt = board.now + 3 * HOUR
    board.attempt('a', { how: 'rate_limited', retryAt })
    expect(board.task('a').cooldownUntil).toBe(retryAt)
    expect(board.event('rate_limited').data).toEqual({ until: retryAt, account: null })
  })

  test('exit code 75 means a rate limit for every kind of agent', () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.attempt('a', { exitCode: 75, completesOnExit: true }).outcome).toBe('rate_limited')
    expect(board.attempt('a', { exitCode: 75 }).outcome).toBe('rate_limited')
  })

  test('a rate limit does not count against the attempts limit', () => {
    const board = new TestBoard({ attemptsLimit: 3 })
    board.create('a')
    for (let nth = 0; nth < 5; nth += 1) board.attempt('a', { how: 'rate_limited' })
    board.attempt('a', { how: 'interrupted' })
    expect(board.status('a')).toBe('ready')
  })
})

describe('a run without a verdict', () => {
  test('a run without a verdict is a protocol violation, counted separately', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', crash)
    expect(board.attempt('a', { exitCode: 0 }).outcome).toBe('protocol_violation')
    expect(board.task('a')).toMatchObject({ consecutiveFailures: 1, protocolViolations: 1, status: 'ready' })
    board.attempt('a', { exitCode: 0 })
    expect(board.attempt('a', { exitCode: 0 }).status).toBe('blocked')
    expect(board.event('gave_up').data).toMatchObject({ failures: 3, limit: 3, trigger: 'protocol_violation' })
    expect(board.task('a').consecutiveFailures).toBe(1)
  })

  test('any verdict resets the count of protocol violations', () => {
    const board = new TestBoard()
    board.create('a')
    board.attempt('a', { exitCode: 0 })
    board.attempt('a', { exitCode: 0 })
    board.attempt('a', { verdict: reviewAsked() })
    expect(board.task('a').protocolViolations).toBe(0)
  })
})

describe('the attempts limit', () => {
  test('the attempts limit blocks a card, whatever ended its attempts', () => {
    const board = new TestBoard({ attemptsLimit: 4 })
    board.create('a')
    for (let nth = 0; nth < 3; nth += 1) expect(board.attempt('a', { how: 'interrupted' }).status).toBe('ready')
    expect(board.attempt('a', { how: 'interrupted' }).status).toBe('blocked')
    expect(board.task('a')).toMatchObject({ blockKind: 'attempts', breakerOpen: true, consecutiveFailures: 0 })
    expect(board.event('gave_up').data).toMatchObject({ failures: 4, limit: 4, trigger: 'interrupted' })
  })

  test('attempts that are older than a day do not count', () => {
    const board = new TestBoard({ attemptsLimit: 2 })
    board.create('a')
    board.attempt('a', { how: 'interrupted' })
    board.advance(DAY + 1)
    expect(board.attempt('a', { how: 'interrupted' }).status).toBe('ready')
    expect(board.attempt('a', { how: 'interrupted' }).status).toBe('blocked')
  })

  test("a person's reset restarts the count of attempts, and unblocking does not", () => {
    const board = new TestBoard({ attemptsLimit: 2 })
    board.create('a')
    board.attempt('a', { how: 'interrupted' })
    board.attempt('a', { how: 'interrupted' })
    board.advance(1)
    board.unblock('a')
    board.advance(1)
    expect(board.attempt('a', { how: 'interrupted' }).status).toBe('blocked')
    board.advance(1)
    board.do('unblock', { task: card('a'), reset: true })
    expect(board.event('unblocked').data).toEqual({ status: 'ready', reason: null, reset: true })
    board.advance(1)
    expect(board.attempt('a', { how: 'interrupted' }).status).toBe('ready')
  })

  test('clearing consecutive failures does not restart the count of attempts', () => {
    const acts: readonly ((board: TestBoard) => unknown)[] = [
      (board) => board.do('assign', { task: card('a'), assignee: 'writer' }),
      (board) => board.do('edit', { task: card('a'), set: {}, resetFailures: true }),
      (board) => board.do('complete', { task: card('a'), runId: board.mint().runId }, orchestrator),
      (board) =>
        board.do('reclaim', { task: board.do('claim_manual', { task: card('a'), runId: board.mint().runId }).taskId }),
    ]
    for (const act of acts) {
      const board = new TestBoard({ attemptsLimit: 3 })
      board.create('a')
      board.attempt('a', { how: 'interrupted' })
      board.advance(1)
      act(board)
      expect(board.task('a').attemptsSince).toBe(0)
    }
  })

  test('success restarts the count of attempts', () => {
    const board = new TestBoard({ attemptsLimit: 3 })
    board.create('a')
    board.advance(1)
    board.attempt('a', { verdict: complete() })
    expect(board.task('a').attemptsSince).toBe(board.now)
  })

  test('the attempts limit blocks a review, and unblock resumes the review', () => {
    const board = new TestBoard({ attemptsLimit: 3, reviewer: 'critic' })
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    const review = { claim: { agent: 'critic' }, how: 'interrupted' } as const
    expect(board.attempt('a', review).status).toBe('review')
    expect(board.attempt('a', review).status).toBe('blocked')
    expect(board.task('a')).toMatchObject({ blockKind: 'attempts', resumeStatus: 'review' })
    expect(board.unblock('a').status).toBe('review')
    board.check()
  })
})

describe('a failing review', () => {
  const inReview = (): TestBoard => {
    const board = new TestBoard({ reviewer: 'critic' })
    board.create('a')
    board.attempt('a', { verdict: reviewAsked() })
    return board
  }
  const fail = { claim: { agent: 'critic' }, ...crash }

  test('a failed review stays in review and does not count as failed work', () => {
    const board = inReview()
    expect(board.attempt('a', fail)).toMatchObject({ outcome: 'crashed', status: 'review' })
    expect(board.task('a')).toMatchObject({ reviewFailures: 1, consecutiveFailures: 0, cooldownReason: 'retry' })
  })

  test('a review at the failure limit waits for a person', () => {
    const board = inReview()
    board.attempt('a', fail)
    board.attempt('a', { ...fail, exitCode: 0 })
    expect(board.task('a')).toMatchObject({ status: 'review', reviewFailures: 2, breakerOpen: true })
    board.advance(DAY)
    const refusal = board.refused('claim', board.claimInput('a', { agent: 'critic' }))
    expect(refusal.details).toMatchObject({ reason: { code: 'reviewer_failed', params: { failures: 2 } } })
    board.do('approve', { task: card('a'), runId: board.mint().runId })
    expect(board.task('a')).toMatchObject({ status: 'done', reviewFailures: 0, breakerOpen: false })
  })

  test('a rate-limited review waits and does not count as a failure', () => {
    const board = inReview()
    board.attempt('a', { ...fail, how: 'rate_limited' })
    expect(board.task('a')).toMatchObject({ status: 'review', reviewFailures: 0, cooldownReason: 'rate_limit' })
  })

  test('a verdict of the reviewer clears review failures', () => {
    const board = inReview()
    board.attempt('a', fail)
    board.attempt('a', { claim: { agent: 'critic' }, verdict: changesAsked() })
    expect(board.task('a')).toMatchObject({ status: 'ready', reviewFailures: 0 })
  })
})

describe('a failed check run that a person started', () => {
  const checked = (status: 'ready' | 'blocked' | 'review'): TestBoard => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { checks: ['npm test'] })
    if (status === 'blocked') board.block('a')
    if (status === 'review') board.do('request_review', { task: card('a'), runId: board.mint().runId })
    const { runId, tokenHash } = board.mint()
    board.do('complete', { task: card('a'), runId, checker: { tokenHash, machine: 'laptop' } })
    return board
  }

  test.each(['ready', 'blocked', 'review'] as const)(
    'failed checks return a card to %s without counting a failure',
    (status) => {
      const board = checked(status)
      board.settle('a', { how: 'checks_failed', error: 'two tests fail' })
      expect(board.task('a')).toMatchObject({ status, consecutiveFailures: 0, lastError: 'two tests fail' })
      board.check()
    },
  )

  test('after failed checks, a card with a new open parent returns to todo', () => {
    const board = checked('ready')
    board.do('link', { parent: card('p'), child: card('a') })
    board.settle('a', { how: 'checks_failed' })
    expect(board.status('a')).toBe('todo')
    board.check()
  })

  test('a stopped check run keeps the breaker of a blocked card open', () => {
    const board = new TestBoard()
    board.create('a', { checks: ['npm test'] })
    board.attempt('a', crash)
    board.attempt('a', crash)
    const { runId, tokenHash } = board.mint()
    board.do('complete', { task: card('a'), runId, checker: { tokenHash, machine: 'laptop' } })
    expect(board.refused('reclaim', { task: card('a') }, orchestrator).code).toBe('not_allowed')
    board.do('stop', { task: card('a') }, orchestrator)
    board.settle('a')
    expect(board.task('a').breakerOpen).toBe(true)
    expect(board.status('a')).toBe('blocked')
    board.check()
  })
})

describe('the respawn guard', () => {
  test('the guard delays a retry after a comment names a pull request', () => {
    const board = new TestBoard({ failureLimit: 9 })
    board.create('a')
    const fence = board.claim('a')
    const body = 'Opened https://git.example/team/repo/pull/12'
    board.do('comment', { task: card('a'), id: commentOf('c'), body }, board.workerOf('a', fence))
    const commentedAt = board.now
    board.settle('a', crash)
    expect(board.task('a')).toMatchObject({
      guardUntil: commentedAt + DAY,
      guardReason: 'active_pr',
      dueAt: commentedAt + DAY,
    })
    expect(board.event('respawn_guarded').data).toEqual({ until: commentedAt + DAY, reason: 'active_pr' })
    board.advance(HOUR)
    expect(board.refused('claim', board.claimInput('a')).details).toMatchObject({ reason: { gate: 'respawn_guard' } })
    board.do('promote', { task: card('a') })
    board.claim('a')
  })

  test('the guard delays a retry of a card reopened soon after success', () => {
    const board = new TestBoard({ failureLimit: 9 })
    board.create('a')
    board.attempt('a', { verdict: complete() })
    const succeeded = board.now
    board.advance(MINUTE)
    board.do('reopen', { task: card('a') })
    expect(board.task('a')).toMatchObject({ completedAt: null, guardUntil: null })
    board.attempt('a', crash)
    const until = succeeded + DEFAULT_SETTINGS.successGuardMs
    expect(board.task('a')).toMatchObject({ guardUntil: until, guardReason: 'recent_success' })
    expect(board.event('respawn_guarded').data).toEqual({ until, reason: 'recent_success' })
  })

  test('the guard does not delay a card that a person stopped', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('comment', {
      task: card('a'),
      id: commentOf('c'),
      body: 'https://git.example/team/repo/-/merge_requests/3',
    })
    board.attempt('a', { how: 'stopped' })
    expect(board.task('a').guardUntil).toBeNull()
  })

  test('the guard ends at its time, and a recent success is named before a pull request', () => {
    const context = { settings: DEFAULT_SETTINGS, now: NOON }
    const guard = (succeededAt: number | null, pullRequestAt: number | null) =>
      respawnGuard({ succeededAt, pullRequestAt }, context)
    expect(guard(null, null)).toBeNull()
    expect(guard(NOON - HOUR, NOON - DAY)).toBeNull()
    expect(guard(NOON - HOUR + 1, NOON)).toEqual({ until: NOON + 1, reason: 'recent_success' })
    expect(guard(null, NOON - HOUR)).toEqual({ until: NOON + 23 * HOUR, reason: 'active_pr' })
  })
})
