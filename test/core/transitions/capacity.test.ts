import { describe, expect, test } from 'vitest'
import type { RunId } from '../../../src/core/ids.ts'
import { HOUR, MINUTE, SECOND, card, clockwork, identity, orchestrator, runOf, worker } from '../../helpers/sample.ts'
import { TestBoard } from '../test-board.ts'

const stranger = worker(card('w'), runOf('w'))

describe('pause and resume', () => {
  test.each([
    ['machine', 'laptop'],
    ['board', 'main'],
    ['agent', 'coder'],
  ] as const)('a paused %s starts no new run, and open runs continue', (kind, name) => {
    const board = new TestBoard()
    board.create('a')
    board.create('b')
    board.claim('a')
    board.do('pause', { kind, name, reason: 'too hot' })
    expect(board.store.slot({ kind, name })).toMatchObject({
      pausedAt: board.now,
      pausedBy: 'ada',
      pauseReason: 'too hot',
    })
    expect(board.refused('claim', board.claimInput('b')).details).toMatchObject({ reason: { gate: 'paused' } })
    expect(board.status('a')).toBe('running')
    board.do('resume', { kind, name })
    board.claim('b')
    expect(board.kinds().filter((event) => event === 'paused' || event === 'resumed')).toEqual(['paused', 'resumed'])
  })

  test('a pause with an end time expires', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('pause', { kind: 'agent', name: 'coder', until: board.now + HOUR })
    expect(board.refused('claim', board.claimInput('a')).details).toMatchObject({
      reason: { gate: 'paused', until: board.now + HOUR },
    })
    board.advance(HOUR)
    board.claim('a')
  })

  test('resuming a slot that is not paused writes no event', () => {
    const board = new TestBoard()
    expect(board.do('resume', { kind: 'agent', name: 'coder' })).toEqual({
      kind: 'agent',
      name: 'coder',
      paused: false,
    })
    expect(board.kinds()).not.toContain('resumed')
  })

  test('`pause` and `resume` are refused for workers and for the board', () => {
    const board = new TestBoard()
    for (const actor of [stranger, clockwork]) {
      expect(board.refused('pause', { kind: 'board', name: 'main' }, actor).code).toBe('not_allowed')
      expect(board.refused('resume', { kind: 'board', name: 'main' }, actor).code).toBe('not_allowed')
    }
    board.do('pause', { kind: 'board', name: 'main' }, orchestrator)
  })
})

describe('an account', () => {
  const quota = { account: 'Acme', cause: 'quota' } as const
  const until = (board: TestBoard): number | null | undefined => board.store.account('acme')?.pausedUntil

  test('a quota signal pauses an account until its reset time', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('pause_account', { ...quota, until: board.now + HOUR, reason: '429' }, clockwork)
    expect(board.refused('claim', board.claimInput('a', { account: 'acme' })).details).toMatchObject({
      reason: { gate: 'account_paused', until: board.now + HOUR },
    })
    board.advance(HOUR)
    board.claim('a', { account: 'acme' })
  })

  test('each pause without a reset time is twice as long, and no pause gets shorter', () => {
    const board = new TestBoard()
    board.do('pause_account', quota, clockwork)
    expect(until(board)).toBe(board.now + 5 * MINUTE)
    board.do('pause_account', quota, clockwork)
    expect(until(board)).toBe(board.now + 10 * MINUTE)
    board.do('pause_account', { ...quota, until: board.now + SECOND }, clockwork)
    expect(until(board)).toBe(board.now + 10 * MINUTE)
  })

  test('a failed login pauses an account until a person resumes it', () => {
    const board = new TestBoard()
    board.do('pause_account', { account: 'acme', cause: 'auth', until: board.now + HOUR }, clockwork)
    expect(until(board)).toBeNull()
    board.do('pause_account', quota, clockwork)
    expect(board.store.account('acme')).toMatchObject({ pauseCause: 'auth', pausedUntil: null })
    const probe = { account: 'acme', probeRunId: runOf('p') }
    expect(board.refused('resume_account', probe, clockwork).code).toBe('not_allowed')
    board.do('resume_account', { account: 'acme' })
    expect(board.store.account('acme')).toMatchObject({ pauseCause: null, strikes: 0, reopenedAt: board.now })
  })

  test('a successful probe reopens an account, and late signals are ignored', () => {
    const board = new TestBoard()
    const started = board.now
    board.advance(SECOND)
    board.do('pause_account', quota, clockwork)
    board.create('a')
    board.advance(HOUR)
    const probe = board.claim('a', { account: 'acme', probe: true })
    const answered = (probeRunId: RunId) => ({ account: 'acme', probeRunId })
    expect(board.refused('resume_account', answered(runOf('p')), clockwork).code).toBe('not_allowed')
    board.do('resume_account', answered(probe.runId), clockwork)
    board.do('pause_account', { ...quota, runStartedAt: started }, clockwork)
    expect(board.store.account('acme')?.pauseCause).toBeNull()
    board.do('pause_account', { ...quota, runStartedAt: board.now }, clockwork)
    expect(board.store.account('acme')?.pauseCause).toBe('quota')
  })

  test("only a person sets or ends a person's pause of an account", () => {
    const board = new TestBoard()
    const byPerson = { account: 'acme', cause: 'person' } as const
    expect(board.refused('pause_account', byPerson, clockwork).code).toBe('not_allowed')
    expect(board.refused('resume_account', { account: 'acme' }).code).toBe('account_not_found')
    board.do('pause_account', byPerson)
    expect(board.refused('resume_account', { account: 'acme' }, stranger).code).toBe('not_allowed')
    board.do('resume_account', { account: 'acme' })
    expect(board.do('resume_account', { account: 'acme' })).toEqual({ account: 'acme', pausedUntil: null })
  })
})

describe("a person's pause of an account", () => {
  const byPerson = { account: 'acme', cause: 'person' } as const
  const until = (board: TestBoard): number | null | undefined => board.store.account('acme')?.pausedUntil

  test("a person's pause ends at its time, and a new one replaces it", () => {
    const board = new TestBoard()
    board.create('a')
    board.do('pause_account', { ...byPerson, until: board.now + HOUR })
    board.do('pause_account', { ...byPerson, until: board.now + MINUTE })
    expect(until(board)).toBe(board.now + MINUTE)
    board.advance(MINUTE)
    board.claim('a', { account: 'acme' })
    board.do('pause_account', byPerson)
    expect(until(board)).toBeNull()
  })

  test('a person cannot shorten a pause that the provider caused', () => {
    const board = new TestBoard()
    board.do('pause_account', { account: 'acme', cause: 'quota', until: board.now + HOUR }, clockwork)
    board.do('pause_account', { ...byPerson, until: board.now + MINUTE })
    expect(until(board)).toBe(board.now + HOUR)
    board.do('pause_account', { account: 'acme', cause: 'auth' }, clockwork)
    board.do('pause_account', { ...byPerson, until: board.now + MINUTE })
    expect(until(board)).toBeNull()
  })
})

describe('the dispatcher of a machine', () => {
  const lead = (tokenHash: string, extra: object = {}) => ({
    machine: 'server',
    tokenHash,
    identity: identity(7, 'server'),
    leaseMs: 15 * SECOND,
    ...extra,
  })

  test('a second dispatcher becomes active only after the lease of the first expires', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    expect(board.refused('lead_dispatch', lead('two'), clockwork)).toMatchObject({
      code: 'dispatcher_superseded',
      details: { pid: 7, leaseUntil: board.now + 15 * SECOND },
    })
    board.advance(15 * SECOND)
    expect(board.do('lead_dispatch', lead('two'), clockwork).leaseUntil).toBe(board.now + 15 * SECOND)
  })

  test('a renewal extends the lease and keeps its start time', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    const since = board.now
    board.advance(5 * SECOND)
    board.do('lead_dispatch', lead('one'), clockwork)
    const row = board.store.state().dispatchers.find((dispatcher) => dispatcher.machine === 'server')
    expect(row).toMatchObject({ since, leaseUntil: board.now + 15 * SECOND })
  })

  test('a dispatcher that renews an expired lease gets a new start time', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    board.advance(15 * SECOND)
    expect(board.do('lead_dispatch', lead('one'), clockwork).since).toBe(board.now)
  })

  test('a dead dispatcher is replaced at once', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    expect(board.refused('lead_dispatch', lead('two', { deadHolder: 'other' }), clockwork).code).toBe(
      'dispatcher_superseded',
    )
    board.do('lead_dispatch', lead('two', { deadHolder: 'one' }), clockwork)
  })

  test('a dispatcher can give up only its own lease', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    board.do('leave_dispatch', { machine: 'server', tokenHash: 'two' }, clockwork)
    expect(board.refused('lead_dispatch', lead('two'), clockwork).code).toBe('dispatcher_superseded')
    board.do('leave_dispatch', { machine: 'server', tokenHash: 'one' }, clockwork)
    board.do('lead_dispatch', lead('two'), clockwork)
  })
})
