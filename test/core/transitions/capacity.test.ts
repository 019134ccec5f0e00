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
  ] as const)('a paused %s starts nothing new until it is resumed; what runs goes on', (kind, name) => {
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

  test('a pause with an end expires then', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('pause', { kind: 'agent', name: 'coder', until: board.now + HOUR })
    expect(board.refused('claim', board.claimInput('a')).details).toMatchObject({
      reason: { gate: 'paused', until: board.now + HOUR },
    })
    board.pass(HOUR)
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

  test('are refused to workers and the board itself', () => {
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

  test('is paused by a quota signal until its reset, for all its cards', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('pause_account', { ...quota, until: board.now + HOUR, reason: '429' }, clockwork)
    expect(board.refused('claim', board.claimInput('a', { account: 'acme' })).details).toMatchObject({
      reason: { gate: 'account_paused', until: board.now + HOUR },
    })
    board.pass(HOUR)
    board.claim('a', { account: 'acme' })
  })

  test('waits longer each time the provider names no reset, and a pause only grows', () => {
    const board = new TestBoard()
    board.do('pause_account', quota, clockwork)
    expect(until(board)).toBe(board.now + 5 * MINUTE)
    board.do('pause_account', quota, clockwork)
    expect(until(board)).toBe(board.now + 10 * MINUTE)
    board.do('pause_account', { ...quota, until: board.now + SECOND }, clockwork)
    expect(until(board)).toBe(board.now + 10 * MINUTE)
  })

  test('is paused by a failed login until a person resumes it, whatever quotas say', () => {
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

  test('reopens when a probe got an answer, and late signals of older runs then change nothing', () => {
    const board = new TestBoard()
    const started = board.now
    board.pass(SECOND)
    board.do('pause_account', quota, clockwork)
    board.create('a')
    board.pass(HOUR)
    const probe = board.claim('a', { account: 'acme', probe: true })
    const answered = (probeRunId: RunId) => ({ account: 'acme', probeRunId })
    expect(board.refused('resume_account', answered(runOf('p')), clockwork).code).toBe('not_allowed')
    board.do('resume_account', answered(probe.runId), clockwork)
    board.do('pause_account', { ...quota, runStartedAt: started }, clockwork)
    expect(board.store.account('acme')?.pauseCause).toBeNull()
    board.do('pause_account', { ...quota, runStartedAt: board.now }, clockwork)
    expect(board.store.account('acme')?.pauseCause).toBe('quota')
  })

  test('is paused as a person only by one, and resumed only where it is', () => {
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

  test('ends at the given time, and the next command replaces it', () => {
    const board = new TestBoard()
    board.create('a')
    board.do('pause_account', { ...byPerson, until: board.now + HOUR })
    board.do('pause_account', { ...byPerson, until: board.now + MINUTE })
    expect(until(board)).toBe(board.now + MINUTE)
    board.pass(MINUTE)
    board.claim('a', { account: 'acme' })
    board.do('pause_account', byPerson)
    expect(until(board)).toBeNull()
  })

  test('cuts nothing short that the provider said', () => {
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

  test('is unique: another waits until the lease is over', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    expect(board.refused('lead_dispatch', lead('two'), clockwork)).toMatchObject({
      code: 'dispatcher_superseded',
      details: { pid: 7, leaseUntil: board.now + 15 * SECOND },
    })
    board.pass(15 * SECOND)
    expect(board.do('lead_dispatch', lead('two'), clockwork).leaseUntil).toBe(board.now + 15 * SECOND)
  })

  test('renews its lease and keeps its beginning', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    const since = board.now
    board.pass(5 * SECOND)
    board.do('lead_dispatch', lead('one'), clockwork)
    const row = board.store.state().dispatchers.find((dispatcher) => dispatcher.machine === 'server')
    expect(row).toMatchObject({ since, leaseUntil: board.now + 15 * SECOND })
  })

  test('begins anew when its own lease ran out before it renewed', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    board.pass(15 * SECOND)
    expect(board.do('lead_dispatch', lead('one'), clockwork).since).toBe(board.now)
  })

  test('is replaced at once when it was seen to be dead', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    expect(board.refused('lead_dispatch', lead('two', { deadHolder: 'other' }), clockwork).code).toBe(
      'dispatcher_superseded',
    )
    board.do('lead_dispatch', lead('two', { deadHolder: 'one' }), clockwork)
  })

  test('gives up only its own lease', () => {
    const board = new TestBoard()
    board.do('lead_dispatch', lead('one'), clockwork)
    board.do('leave_dispatch', { machine: 'server', tokenHash: 'two' }, clockwork)
    expect(board.refused('lead_dispatch', lead('two'), clockwork).code).toBe('dispatcher_superseded')
    board.do('leave_dispatch', { machine: 'server', tokenHash: 'one' }, clockwork)
    board.do('lead_dispatch', lead('two'), clockwork)
  })
})
