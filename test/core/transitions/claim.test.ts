import { describe, expect, test } from 'vitest'
import { decideWith, prepareCommand } from '../../../src/core/command.ts'
import { BoardError } from '../../../src/core/errors.ts'
import { claim } from '../../../src/core/transitions/claim.ts'
import {
  HOUR,
  SECOND,
  card,
  clockwork,
  orchestrator,
  person,
  runOf,
  sampleBoard,
  worker,
} from '../../helpers/sample.ts'
import { TestBoard, reviewAsked } from '../test-board.ts'

describe('claim', () => {
  test('a claim opens a run with its fence and deadlines', () => {
    const board = new TestBoard()
    board.create('a', { maxRuntimeMs: HOUR })
    const input = board.claimInput('a', { account: 'acme', libVersion: '1.0' })
    expect(board.do('claim', input, clockwork)).toEqual({
      runId: input.runId,
      taskId: card('a'),
      attempt: 1,
      phase: 'work',
    })
    expect(board.run('a')).toMatchObject({
      tokenHash: input.tokenHash,
      agent: 'coder',
      account: 'acme',
      machine: 'laptop',
      kind: 'agent',
      fromStatus: 'ready',
      startDeadlineAt: board.now + 30 * SECOND,
      leaseUntil: board.now + 120 * SECOND,
      maxRuntimeMs: HOUR,
    })
    expect(board.task('a')).toMatchObject({ status: 'running', currentRunId: input.runId, startedAt: board.now })
    expect(board.task('a').dueAt).toBe(board.now + 30 * SECOND)
    expect(board.event('claimed').data).toEqual({
      attempt: 1,
      agent: 'coder',
      machine: 'laptop',
      phase: 'work',
      from: 'ready',
      waitedMs: 0,
    })
    board.check()
  })

  test('a second claim is attempt 2 and keeps the first start time', () => {
    const board = new TestBoard()
    board.create('a')
    const start = board.now
    board.attempt('a', { how: 'interrupted' })
    board.advance(HOUR)
    board.claim('a')
    expect(board.run('a').attempt).toBe(2)
    expect(board.task('a').startedAt).toBe(start)
  })

  test('a repeated claim returns the same answer', () => {
    const board = new TestBoard()
    board.create('a')
    const input = board.claimInput('a')
    const answer = board.do('claim', input, clockwork)
    const before = board.store.state()
    expect(board.do('claim', input, clockwork)).toEqual(answer)
    expect(board.store.state()).toEqual(before)
  })

  test('a claim with the id of an ended run is refused', () => {
    const board = new TestBoard()
    board.create('a')
    const input = board.claimInput('a')
    board.do('claim', input, clockwork)
    board.settle('a', { how: 'interrupted' })
    expect(board.refused('claim', input, clockwork).code).toBe('run_over')
  })

  test('a claim of a running card is refused and names the winner', () => {
    const board = new TestBoard()
    board.create('a')
    const { runId } = board.claim('a')
    expect(board.refused('claim', board.claimInput('a'))).toMatchObject({
      code: 'claim_lost',
      message: `Card ${card('a')} is already running as ${runId} by coder on laptop.`,
      details: { currentRunId: runId, by: 'coder' },
    })
    board.create('b')
    board.do('claim_manual', { task: card('b'), runId: runOf('m') })
    expect(board.refused('claim_manual', { task: card('b'), runId: runOf('n') }, orchestrator).message).toBe(
      `Card ${card('b')} is already running as ${runOf('m')} by ada.`,
    )
  })

  test("a claim for an agent other than the card's is refused", () => {
    const board = new TestBoard()
    board.create('a')
    expect(board.refused('claim', board.claimInput('a', { agent: 'tester' }))).toMatchObject({ code: 'claim_lost' })
  })

  test('a claim of a card with an open parent is refused', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    const refusal = board.refused('claim', board.claimInput('a'))
    expect(refusal).toMatchObject({ code: 'parents_open', details: { parents: [card('p')] } })
    expect(board.kinds('a')).toEqual(['created'])
  })

  test('claiming a ready card with an open parent returns the card to todo', () => {
    const board = new TestBoard()
    board.create('a')
    const input = board.claimInput('a')
    const prepared = prepareCommand({ verb: 'claim', board: 'main', actor: clockwork, input }, claim)
    if (prepared instanceof BoardError) throw prepared
    const rows = {
      board: board.store.board('main'),
      tasks: new Map([[card('a'), board.task('a')]]),
      parents: new Map(),
      runs: new Map(),
      slots: [],
      account: null,
      series: null,
      dispatcher: board.store.state().dispatchers[0] ?? null,
    }
    const facts = {
      openParents: [card('p')],
      openRuns: { machine: 0, board: 0, agent: 0, account: 0 },
      attempts: { total: 0, recent: 0 },
      repeated: null,
      worked: [],
      directoryUser: null,
      branchHolders: [],
      probe: null,
    }
    expect(decideWith(prepared, { rows, board: sampleBoard(), actor: clockwork, now: board.now }, facts)).toMatchObject(
      {
        ok: false,
        code: 'parents_open',
        changes: [{ op: 'update_task', id: card('a'), patch: { status: 'todo' } }],
        events: [{ kind: 'claim_rejected', data: { reason: 'parents_open', parents: [card('p')] } }],
      },
    )
  })

  test("a claim needs the lease of its machine's dispatcher", () => {
    const board = new TestBoard()
    board.create('a')
    const rival = board.claimInput('a', { dispatcherTokenHash: 'rival' })
    expect(board.refused('claim', rival).code).toBe('dispatcher_superseded')
    expect(board.refused('claim', board.claimInput('a', { machine: 'server' })).code).toBe('dispatcher_superseded')
  })

  test('a claim of a held or unknown card is refused', () => {
    const board = new TestBoard()
    board.create('a', { held: true })
    expect(board.refused('claim', board.claimInput('a'))).toMatchObject({
      code: 'gate_closed',
      details: { reason: { gate: 'hold' } },
    })
    expect(board.refused('claim', board.claimInput('x')).code).toBe('task_not_found')
  })

  test('a claim over the cap is refused and can be retried', () => {
    const board = new TestBoard()
    for (const name of ['a', 'b', 'c']) board.create(name)
    const caps = { machine: 2, agent: null, account: null }
    board.claim('a', { caps })
    board.claim('b', { caps })
    const refusal = board.refused('claim', board.claimInput('c', { caps }))
    expect(refusal).toMatchObject({ code: 'capped', retryable: true })
    board.settle('a', { how: 'interrupted' })
    board.claim('c', { caps })
  })

  test('caps of machines, agents and accounts count runs of all boards', () => {
    const board = new TestBoard({ maxRunning: 1 })
    board.do('create_board', { slug: 'side' }, person, 'side')
    board.create('a')
    board.claim('a', { account: 'acme' })
    board.do('create', { cards: [{ id: card('b'), title: 'B', assignee: 'coder' }] }, person, 'side')
    const claimB = (caps: { machine: number | null; agent: number | null; account: number | null }) =>
      board.store.decide({
        verb: 'claim',
        board: 'side',
        actor: clockwork,
        input: board.claimInput('b', { account: 'acme', caps }),
      })
    expect(claimB({ machine: null, agent: 1, account: null }).ok).toBe(false)
    expect(claimB({ machine: null, agent: null, account: 1 }).ok).toBe(false)
    expect(claimB({ machine: 1, agent: null, account: null }).ok).toBe(false)
    expect(claimB({ machine: 2, agent: 2, account: 2 }).ok).toBe(true)
  })

  test('claiming a card in review opens a review run', () => {
    const board = new TestBoard()
    board.create('a', { reviewer: 'critic' })
    board.attempt('a', { verdict: reviewAsked() })
    board.claim('a', { agent: 'critic' })
    expect(board.run('a')).toMatchObject({ phase: 'review', fromStatus: 'review', agent: 'critic' })
  })

  test('a refused claim of a card in review with an open parent leaves the card in review', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { reviewer: 'critic' })
    board.attempt('a', { verdict: reviewAsked() })
    board.do('link', { parent: card('p'), child: card('a') })
    expect(board.refused('claim', board.claimInput('a', { agent: 'critic' })).code).toBe('parents_open')
    expect(board.status('a')).toBe('review')
  })

  test('a card whose directory is in use cannot be claimed', () => {
    const board = new TestBoard()
    const workspace = { kind: 'dir', path: '/srv/app' } as const
    board.create('a', { workspace })
    board.create('b', { workspace })
    board.claim('a')
    expect(board.refused('claim', board.claimInput('b')).details).toMatchObject({
      reason: { gate: 'workspace', code: 'directory_busy', params: { card: card('a') } },
    })
  })
})

describe('claim_manual', () => {
  const take = (board: TestBoard, name = 'a') => {
    const { runId } = board.mint()
    board.do('claim_manual', { task: card(name), runId })
    return runId
  }

  test('a manual claim has no lease, no slot and no deadline', () => {
    const board = new TestBoard()
    board.create('a', { held: true, assignee: null })
    take(board)
    expect(board.run('a')).toMatchObject({
      kind: 'manual',
      agent: null,
      tokenHash: null,
      leaseUntil: null,
      startDeadlineAt: null,
      claimedBy: 'ada',
    })
    expect(board.task('a')).toMatchObject({ status: 'running', dueAt: null })
    board.check()
  })

  test('a repeated manual claim returns the same answer until the claim ends', () => {
    const board = new TestBoard()
    board.create('a')
    const runId = take(board)
    expect(board.do('claim_manual', { task: card('a'), runId })).toMatchObject({ runId, attempt: 1 })
    board.do('reclaim', { task: card('a') })
    expect(board.refused('claim_manual', { task: card('a'), runId }).code).toBe('run_over')
  })

  test('a manual claim does not count against the caps', () => {
    const board = new TestBoard()
    board.create('a')
    board.create('b')
    take(board)
    board.claim('b', { caps: { machine: 1, agent: 1, account: null } })
  })

  test('a manual claim is refused for workers and while gates are closed', () => {
    const board = new TestBoard()
    board.create('p')
    board.create('a', { parents: ['p'] })
    const ask = (name: string) => ({ task: card(name), runId: runOf('new') })
    expect(board.refused('claim_manual', ask('p'), worker(card('w'), runOf('w'))).code).toBe('not_allowed')
    expect(board.refused('claim_manual', ask('a')).code).toBe('parents_open')
    board.claim('p')
    expect(board.refused('claim_manual', ask('p'), orchestrator).code).toBe('claim_lost')
    board.create('b', { triage: true })
    expect(board.refused('claim_manual', ask('b')).code).toBe('gate_closed')
  })

  test('a dispatcher cannot end a manual claim', () => {
    const board = new TestBoard()
    board.create('a')
    take(board)
    const by = { machine: 'laptop', dispatcherTokenHash: 'dispatch-laptop' }
    expect(board.refused('settle', board.settleInput('a', { by, how: 'interrupted' }), clockwork).code).toBe('run_live')
    expect(board.status('a')).toBe('running')
  })

  test('a manual claim accepts heartbeats without a fence', () => {
    const board = new TestBoard()
    board.create('a')
    take(board)
    board.advance(HOUR)
    board.do('heartbeat', { task: card('a'), note: 'still at it' })
    expect(board.run('a')).toMatchObject({ lastActivityAt: board.now, note: 'still at it' })
  })
})
