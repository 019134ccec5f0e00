import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND, card, clockwork, identity, person, runOf } from '../../helpers/sample.ts'
import { TestBoard, blocked, changesAsked, complete, reviewAsked } from '../test-board.ts'

const claimed = (options: Parameters<TestBoard['create']>[1] = {}) => {
  const board = new TestBoard()
  board.create('a', options)
  return { board, fence: board.claim('a') }
}

describe('register', () => {
  test('registering proves ownership and starts the lease', () => {
    const { board, fence } = claimed()
    board.advance(SECOND)
    const input = { task: card('a'), fence, identity: identity(), logPath: '/log', workspacePath: '/w/a' }
    expect(board.do('register', input, clockwork)).toEqual({
      runId: fence.runId,
      leaseUntil: board.now + 120 * SECOND,
      leaseMs: 120 * SECOND,
    })
    expect(board.run('a')).toMatchObject({ registeredAt: board.now, lastActivityAt: board.now, logPath: '/log' })
    expect(board.task('a').workspace).toMatchObject({ path: '/w/a', state: 'live' })
    expect(board.task('a').dueAt).toBe(board.now + 120 * SECOND)
    expect(board.event('spawned').data).toEqual({ pid: 100 })
    board.check()
  })

  test('the same process may register again, but no other process', () => {
    const { board, fence } = claimed()
    board.register('a', fence)
    const before = board.store.state()
    board.register('a', fence)
    expect(board.store.state()).toEqual(before)
    const second = { task: card('a'), fence, identity: identity(200) }
    expect(board.refused('register', second, clockwork).code).toBe('run_superseded')
  })

  test('registering an ended run is refused without an event', () => {
    const { board, fence } = claimed()
    board.settle('a', { how: 'interrupted' })
    const before = board.store.state()
    expect(board.refused('register', { task: card('a'), fence, identity: identity() }).code).toBe('run_superseded')
    expect(board.refused('register', { task: card('x'), fence, identity: identity() }).code).toBe('task_not_found')
    expect(board.store.state()).toEqual(before)
  })
})

describe('heartbeat', () => {
  test('a heartbeat updates the activity time, and a note writes an event', () => {
    const { board, fence } = claimed()
    const due = board.task('a').dueAt
    board.advance(MINUTE)
    board.do('heartbeat', { task: card('a'), fence })
    expect(board.run('a').lastActivityAt).toBe(board.now)
    expect(board.kinds('a')).toEqual(['created', 'claimed'])
    board.do('heartbeat', { task: card('a'), fence, note: 'halfway' })
    expect(board.event('heartbeat').data).toEqual({ note: 'halfway' })
    expect(board.task('a').dueAt).toBe(due)
  })

  test('a heartbeat with a stale fence is kept as a late result', () => {
    const { board, fence } = claimed()
    board.settle('a', { how: 'interrupted' })
    board.claim('a')
    const refusal = board.refused('heartbeat', { task: card('a'), fence, note: 'hello?' })
    expect(refusal).toMatchObject({ code: 'run_superseded', details: { runId: fence.runId } })
    expect(board.event('late_result')).toMatchObject({
      runId: fence.runId,
      data: { verb: 'heartbeat', content: { note: 'hello?' } },
    })
    expect(board.run('a').lastActivityAt).toBeNull()
  })

  test('only the claimant may send a heartbeat for a manual claim', () => {
    const board = new TestBoard()
    board.create('a')
    const beat = { task: card('a'), note: 'halfway' }
    expect(board.refused('heartbeat', beat, person)).toMatchObject({ code: 'wrong_status' })
    board.do('claim_manual', { task: card('a'), runId: runOf('m') }, person)
    board.advance(MINUTE)
    board.do('heartbeat', beat, person)
    expect(board.run('a')).toMatchObject({ lastActivityAt: board.now, note: 'halfway' })
    expect(board.event('heartbeat').data).toEqual({ note: 'halfway' })
    expect(board.refused('heartbeat', beat, { kind: 'person', name: 'bob' })).toMatchObject({
      code: 'claim_lost',
      message: `Card ${card('a')} is claimed by ada, not by you.`,
    })
  })

  test("a person cannot send a heartbeat for an agent's run", () => {
    const { board } = claimed()
    expect(board.refused('heartbeat', { task: card('a') }, person)).toMatchObject({
      code: 'claim_lost',
      message: `Card ${card('a')} is claimed by coder, not by you.`,
    })
    expect(board.run('a').lastActivityAt).toBeNull()
  })
})

describe('verdict', () => {
  test('a verdict is pending until its run settles', () => {
    const { board, fence } = claimed()
    expect(board.giveVerdict('a', fence, complete())).toEqual({
      isJudged: false,
      runId: fence.runId,
      verdict: 'complete',
      checks: 0,
    })
    expect(board.status('a')).toBe('running')
    expect(board.run('a')).toMatchObject({ verdict: { kind: 'complete' }, verdictAt: board.now })
    expect(board.event('verdict_recorded').data).toEqual({ verdict: 'complete', summary: 'did it' })
  })

  test('a second verdict of the same kind corrects the hand-off', () => {
    const { board, fence } = claimed()
    board.giveVerdict('a', fence, complete())
    const recordedAt = board.now
    board.advance(MINUTE)
    board.giveVerdict('a', fence, complete({ summary: 'did it well' }))
    expect(board.run('a')).toMatchObject({ verdict: { summary: 'did it well' }, verdictAt: recordedAt })
    expect(board.kinds('a').filter((kind) => kind === 'verdict_recorded')).toHaveLength(1)
  })

  test('only a verdict `block` replaces a pending `complete`', () => {
    const { board, fence } = claimed()
    board.giveVerdict('a', fence, complete())
    const review = { task: card('a'), fence, verdict: reviewAsked() }
    expect(board.refused('verdict', review)).toMatchObject({
      code: 'verdict_pending',
      details: { verdict: 'complete' },
    })
    board.giveVerdict('a', fence, blocked())
    expect(board.run('a').verdict?.kind).toBe('block')
    expect(board.refused('verdict', { task: card('a'), fence, verdict: complete() }).code).toBe('verdict_pending')
  })

  test('each phase accepts only its own verdicts', () => {
    const { board, fence } = claimed({ reviewer: 'critic' })
    const changes = { task: card('a'), fence, verdict: changesAsked() }
    expect(board.refused('verdict', changes).code).toBe('not_in_review')
    board.giveVerdict('a', fence, reviewAsked())
    board.settle('a')
    const review = board.claim('a', { agent: 'critic' })
    const again = { task: card('a'), fence: review, verdict: reviewAsked() }
    expect(board.refused('verdict', again).code).toBe('not_in_review')
    board.giveVerdict('a', review, changesAsked())
  })

  test('a verdict that names cards of other authors is refused', () => {
    const { board, fence } = claimed()
    board.create('mine', { by: board.workerOf('a', fence) })
    board.create('other')
    const claims = (createdCards: string[]) => ({
      task: card('a'),
      fence,
      verdict: complete({ createdCards: createdCards.map(card) }),
    })
    expect(board.refused('verdict', claims(['mine', 'other', 'none']))).toMatchObject({
      code: 'phantom_cards',
      details: { phantomCards: [card('other'), card('none')], verifiedCards: [card('mine')] },
    })
    expect(board.run('a').verdict).toBeNull()
    expect(board.event('completion_refused').data).toMatchObject({ verifiedCards: [card('mine')] })
    board.do('verdict', claims(['mine']))
    board.settle('a')
    expect(board.event('completed').data).toMatchObject({ verifiedCards: [card('mine')] })
  })

  test('a verdict may list children that another actor created', () => {
    const { board, fence } = claimed()
    board.create('child', { parents: ['a'] })
    board.giveVerdict('a', fence, complete({ createdCards: [card('child')] }))
  })

  test('a verdict with a stale fence is kept and not applied', () => {
    const { board, fence } = claimed()
    board.settle('a', { how: 'interrupted' })
    const next = board.claim('a')
    expect(board.refused('verdict', { task: card('a'), fence, verdict: complete() }).code).toBe('run_superseded')
    expect(board.event('late_result').data).toMatchObject({ verb: 'verdict', content: { summary: 'did it' } })
    expect(board.run('a')).toMatchObject({ id: next.runId, verdict: null })
    const forged = { runId: next.runId, tokenHash: 'guess' }
    expect(board.refused('verdict', { task: card('a'), fence: forged, verdict: complete() }).code).toBe(
      'run_superseded',
    )
  })

  test('a verdict after the card was deleted is kept', () => {
    const { board, fence } = claimed()
    board.do('delete', { task: card('a') })
    board.settle('a')
    expect(board.refused('verdict', { task: card('a'), fence, verdict: complete() }).code).toBe('run_superseded')
    expect(board.kinds('a').at(-1)).toBe('late_result')
  })
})

describe('checks', () => {
  const withVerdict = () => {
    const { board, fence } = claimed({ checks: ['npm test'] })
    board.giveVerdict('a', fence, complete())
    const check = (passed: boolean, contentHash: string | null = null) =>
      board.do('checks', { task: card('a'), fence, passed, contentHash, output: '1 failing\nmore' }, clockwork)
    return { board, fence, check }
  }

  test('failed checks withdraw the verdict and return the tries left', () => {
    const { board, fence, check } = withVerdict()
    expect(check(false)).toEqual({ runId: fence.runId, triesLeft: 2 })
    expect(board.run('a')).toMatchObject({ verdict: null, verdictAt: null, checks: { tries: 1, passedAt: null } })
    expect(board.event('verdict_withdrawn').data).toEqual({ verdict: 'complete', tries: 1, output: '1 failing' })
    board.giveVerdict('a', fence, blocked())
  })

  test('checks of unchanged content spend no try', () => {
    const { board, fence, check } = withVerdict()
    check(false, 'h1')
    board.giveVerdict('a', fence, complete())
    expect(check(false, 'h1').triesLeft).toBe(2)
    board.giveVerdict('a', fence, complete())
    expect(check(false, 'h2').triesLeft).toBe(1)
  })

  test('a verdict applies at settlement after its checks passed', () => {
    const { board, check } = withVerdict()
    check(true)
    expect(board.kinds('a').at(-1)).toBe('checks_passed')
    expect(board.settle('a')).toMatchObject({ outcome: 'completed', status: 'done' })
  })

  test('checks without a verdict, or with a stale fence, are refused', () => {
    const { board, fence } = claimed({ checks: ['npm test'] })
    const input = { task: card('a'), fence, passed: false, output: '2 tests failed', contentHash: 'c0ffee' }
    expect(board.refused('checks', input).code).toBe('wrong_status')
    board.settle('a', { how: 'interrupted' })
    expect(board.refused('checks', input).code).toBe('run_superseded')
    expect(board.event('late_result').data).toMatchObject({
      verb: 'checks',
      content: { passed: false, output: '2 tests failed', contentHash: 'c0ffee' },
    })
  })
})

describe('terminating', () => {
  test('a run is marked as terminating once', () => {
    const { board, fence } = claimed()
    board.do('terminating', { task: card('a'), fence, reason: 'too long' })
    const marked = board.now
    board.advance(HOUR)
    board.do('terminating', { task: card('a'), fence, reason: 'again' })
    expect(board.run('a')).toMatchObject({ terminatingAt: marked, terminatingReason: 'too long' })
    expect(board.kinds('a').filter((kind) => kind === 'terminating')).toHaveLength(1)
  })

  test('surviving processes are recorded, and the run stays open', () => {
    const { board, fence } = claimed()
    board.do('terminating', { task: card('a'), fence, reason: 'timed_out' })
    board.do('terminating', { task: card('a'), fence, reason: 'timed_out', survivors: [7, 8] })
    expect(board.kinds('a').slice(-2)).toEqual(['terminating', 'termination_deferred'])
    expect(board.run('a')).toMatchObject({ terminatingReason: 'timed_out', endedAt: null })
  })

  test('terminating an ended run is refused without an event', () => {
    const { board } = claimed()
    const before = board.store.state()
    const fence = { runId: runOf('old'), tokenHash: 'old' }
    expect(board.refused('terminating', { task: card('a'), fence, reason: 'x' }).code).toBe('run_superseded')
    expect(board.store.state()).toEqual(before)
  })
})

describe('next_turn', () => {
  const input = (fence: { runId: ReturnType<typeof runOf>; tokenHash: string }) =>
    ({ task: card('a'), fence, turn: 2, cause: 'no_verdict', left: 1 }) as const

  test('a new turn has a reason and clears the terminating mark', () => {
    const { board, fence } = claimed()
    board.register('a', fence)
    board.do('terminating', { task: card('a'), fence, reason: 'leftovers' })
    board.advance(SECOND)
    board.do('next_turn', input(fence))
    expect(board.run('a')).toMatchObject({
      terminatingAt: null,
      terminatingReason: null,
      lastActivityAt: board.now,
      endedAt: null,
    })
    expect(board.event('turn_started').data).toEqual({
      turn: 2,
      cause: 'no_verdict',
      reason: 'turn 2: it ended without a verdict, reminded',
    })
    board.check()
  })

  test("no turn begins after a person's command or with a stale fence", () => {
    const { board, fence } = claimed()
    const before = board.store.state()
    const stale = { ...fence, tokenHash: 'other' }
    expect(board.refused('next_turn', input(stale)).code).toBe('run_superseded')
    expect(board.store.state()).toEqual(before)
    board.do('stop', { task: card('a') }, person)
    expect(board.refused('next_turn', input(fence)).code).toBe('pending')
    expect(board.kinds('a')).not.toContain('turn_started')
  })
})
