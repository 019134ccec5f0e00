import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { card, clockwork, identity, person, runOf, worker, sampleWorkspace } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import type { Claimed } from './desk.ts'

const stale = (claimed: Claimed): Claimed => ({ ...claimed, fence: { ...claimed.fence, tokenHash: 'stale' } })

describeStores('a supervisor', (open) => {
  it('a supervisor registers once under its fence and gets a lease', async () => {
    const desk = await Desk.open(await open())
    const { task, fence, runId } = await desk.claim(await desk.card('a'))
    const paths = { logPath: '/runs/log', socketPath: '/runs/s', workspacePath: '/work/a' }
    const input = { task, fence, identity: identity(500), ...paths }
    const outcome = await desk.do('register', input, clockwork)
    const now = outcome.ok ? outcome.now : 0
    expect(outcome).toMatchObject({ ok: true, result: { runId, leaseUntil: now + 120_000, leaseMs: 120_000 } })
    expect(await desk.runRow(runId)).toMatchObject({
      identity: identity(500),
      registeredAt: now,
      lastActivityAt: now,
      leaseUntil: now + 120_000,
      logPath: '/runs/log',
      socketPath: '/runs/s',
    })
    expect(await desk.task(task)).toMatchObject({
      dueAt: now + 120_000,
      workspace: sampleWorkspace({ path: '/work/a', state: 'live' }),
    })
    expect(await desk.lastEvent(task)).toEqual({ kind: 'spawned', runId, data: { pid: 500 } })
    const before = await desk.store.exportAll()
    expect(await desk.ok('register', input, clockwork)).toMatchObject({ leaseUntil: now + 120_000 })
    expect(await desk.store.exportAll()).toEqual(before)
  })

  it('a second or superseded supervisor is refused and leaves no record', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    const before = await desk.store.exportAll()
    const register = (fence: Claimed['fence'], pid: number) =>
      desk.refused('register', { task: claimed.task, fence, identity: identity(pid) }, clockwork)
    expect(await register(claimed.fence, 501)).toBe('run_superseded')
    expect(await register(stale(claimed).fence, 500)).toBe('run_superseded')
    expect(await register({ ...claimed.fence, runId: runOf('other') }, 500)).toBe('run_superseded')
    expect(await desk.store.exportAll()).toEqual(before)
  })

  it('renewing a lease returns the intent, or null with a stale fence', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    await desk.test.pass(20)
    const now = await desk.store.now()
    const { updatedAt, dueAt } = await desk.task(claimed.task)
    const renewed = await desk.store.renewLease('main', claimed.fence)
    expect(renewed?.intent).toBeNull()
    expect(renewed?.leaseUntil).toBeGreaterThanOrEqual(now + 120_000)
    expect((await desk.runRow(claimed.runId)).leaseUntil).toBe(renewed?.leaseUntil)
    expect(await desk.task(claimed.task)).toMatchObject({ updatedAt, dueAt })

    const { lastActivityAt } = await desk.runRow(claimed.runId)
    expect(renewed).toMatchObject({ lastActivityAt, leaseMs: 120_000, staleMs: 4 * 3_600_000 })
    const active = await desk.store.renewLease('main', claimed.fence, { active: true })
    expect(active?.lastActivityAt).toBeGreaterThan(lastActivityAt ?? 0)
    expect(await desk.runRow(claimed.runId)).toMatchObject({ lastActivityAt: active?.lastActivityAt })

    await desk.ok('stop', { task: claimed.task, reason: 'enough' })
    expect((await desk.store.renewLease('main', claimed.fence))?.intent).toMatchObject({ verb: 'stop', by: 'ada' })
    expect(await desk.store.renewLease('main', stale(claimed).fence)).toBeNull()
    expect(await desk.store.renewLease('other', claimed.fence)).toBeNull()
    await desk.settle(claimed)
    expect(await desk.store.renewLease('main', claimed.fence)).toBeNull()
  })

  it('a heartbeat records activity, and only a note becomes an event', async () => {
    const desk = await Desk.open(await open())
    const { task, fence, runId } = await desk.run(await desk.card('a'))
    await desk.test.pass(5)
    const outcome = await desk.do('heartbeat', { task, fence }, clockwork)
    expect((await desk.runRow(runId)).lastActivityAt).toBe(outcome.ok && outcome.now)
    expect((await desk.lastEvent(task)).kind).toBe('spawned')
    await desk.ok('heartbeat', { task, fence, note: 'reading' }, clockwork)
    expect(await desk.lastEvent(task)).toEqual({ kind: 'heartbeat', runId, data: { note: 'reading' } })
    expect((await desk.runRow(runId)).note).toBe('reading')
  })

  it('a run is marked as terminating once', async () => {
    const desk = await Desk.open(await open())
    const { task, fence, runId } = await desk.run(await desk.card('a'))
    await desk.ok('terminating', { task, fence, reason: 'out of time' }, clockwork)
    const marked = await desk.runRow(runId)
    expect(marked.terminatingReason).toBe('out of time')
    await desk.ok('terminating', { task, fence, reason: 'again' }, clockwork)
    expect(await desk.runRow(runId)).toEqual(marked)
    expect((await desk.kinds(task)).filter((kind) => kind === 'terminating')).toHaveLength(1)
  })
})

describeStores('a verdict', (open) => {
  it('a pending verdict can be corrected, or replaced by `block`', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    unwrap(await desk.verdict(claimed, { kind: 'complete', summary: 'First words', metadata: { n: 1 } }))
    expect(await desk.runRow(claimed.runId)).toMatchObject({
      verdict: { kind: 'complete', summary: 'First words', metadata: { n: 1 } },
      endedAt: null,
    })
    expect(await desk.lastEvent(claimed.task)).toEqual({
      kind: 'verdict_recorded',
      runId: claimed.runId,
      data: { verdict: 'complete', summary: 'First words' },
    })
    expect(await desk.status(claimed.task)).toBe('running')
    unwrap(await desk.verdict(claimed, { kind: 'complete', summary: 'Better words' }))
    expect((await desk.kinds(claimed.task)).filter((kind) => kind === 'verdict_recorded')).toHaveLength(1)
    unwrap(await desk.verdict(claimed, { kind: 'block', reason: 'needs a key', blockKind: 'needs_input' }))
    expect((await desk.runRow(claimed.runId)).verdict).toMatchObject({ kind: 'block' })
    expect(await desk.verdict(claimed, { kind: 'complete' })).toMatchObject({ error: { code: 'verdict_pending' } })
  })

  it('a review verdict is refused in the wrong phase', async () => {
    const desk = await Desk.open(await open(), { reviewer: 'critic' })
    const work = await desk.run(await desk.card('a'))
    expect(await desk.verdict(work, { kind: 'request_changes', reason: 'r' })).toMatchObject({
      error: { code: 'not_in_review' },
    })
    await desk.card('b')
    await desk.ok('request_review', { task: card('b'), runId: runOf('x') })
    const review = await desk.run(card('b'), { agent: 'critic' })
    expect(await desk.verdict(review, { kind: 'request_review' })).toMatchObject({ error: { code: 'not_in_review' } })
  })

  it('a verdict that names cards of others is refused and recorded', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    const mine = worker(claimed.task, claimed.runId)
    await desk.ok('create', { cards: [{ id: card('mine'), title: 'Mine' }] }, mine)
    await desk.card('theirs', { assignee: null })
    await desk.card('child', { parents: [claimed.task] })
    const before = await desk.rows()
    const createdCards = [card('mine'), card('theirs'), card('child'), card('nobody')]
    expect(await desk.verdict(claimed, { kind: 'complete', createdCards })).toMatchObject({
      error: {
        code: 'phantom_cards',
        details: { phantomCards: [card('theirs'), card('nobody')], verifiedCards: [card('mine'), card('child')] },
      },
    })
    expect(await desk.rows()).toEqual(before)
    expect((await desk.lastEvent(claimed.task)).kind).toBe('completion_refused')
    unwrap(await desk.verdict(claimed, { kind: 'complete', createdCards: [card('mine'), card('child')] }))
    await desk.settle(claimed)
    const completed = (await desk.events(claimed.task)).find((event) => event.kind === 'completed')
    expect(completed?.data.verifiedCards).toEqual([card('mine'), card('child')])
  })

  it('failing checks withdraw the verdict and return the tries left', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a', { checks: ['npm test'] }))
    const { task, fence, runId } = claimed
    const checks = (passed: boolean, contentHash: string) =>
      desk.ok('checks', { task, fence, passed, contentHash, output: '3 failed\nmore' }, clockwork)
    expect(await desk.refused('checks', { task, fence, passed: true }, clockwork)).toBe('wrong_status')
    unwrap(await desk.verdict(claimed, { kind: 'complete' }))
    expect(await checks(false, 'h1')).toEqual({ runId, triesLeft: 2 })
    expect(await desk.runRow(runId)).toMatchObject({ verdict: null, verdictAt: null, checks: { tries: 1 } })
    expect(await desk.lastEvent(task)).toMatchObject({
      kind: 'verdict_withdrawn',
      data: { verdict: 'complete', tries: 1, output: '3 failed' },
    })
    unwrap(await desk.verdict(claimed, { kind: 'complete' }))
    // Unchanged content spends no try.
    expect(await checks(false, 'h1')).toEqual({ runId, triesLeft: 2 })
    unwrap(await desk.verdict(claimed, { kind: 'complete' }))
    expect(await checks(true, 'h2')).toEqual({ runId, triesLeft: 2 })
    expect((await desk.runRow(runId)).checks?.passedAt).not.toBeNull()
    expect(await desk.settle(claimed)).toMatchObject({ outcome: 'completed', status: 'done' })
  })
})

describeStores('a stale fence', (open) => {
  it('a write with a stale fence changes nothing and is recorded', async () => {
    const desk = await Desk.open(await open())
    const old = await desk.run(await desk.card('a'))
    await desk.settle(old, { ending: { how: 'interrupted' } })
    const current = await desk.run(old.task)
    for (const claimed of [old, stale(current)]) {
      const { task, fence, runId } = claimed
      const writes = [
        ['heartbeat', { task, fence, note: 'Too late' }],
        ['verdict', { task, fence, verdict: { kind: 'complete', summary: 'Too late' } }],
        ['checks', { task, fence, passed: true }],
        ['settle', desk.settleInput(claimed, { lastOutput: 'Too late' })],
      ] as const
      for (const [verb, input] of writes) {
        expect(await desk.refusedQuietly(verb, input as never, clockwork)).toBe('run_superseded')
        const late = await desk.lastEvent(task)
        expect(late).toMatchObject({ kind: 'late_result', runId, data: { verb } })
        expect(JSON.stringify(late.data.content)).toContain(verb === 'checks' ? 'passed' : 'Too late')
      }
    }
    expect((await desk.kinds(old.task)).filter((kind) => kind === 'late_result')).toHaveLength(8)
  })

  it('`terminating` and `register` with a stale fence leave no record', async () => {
    const desk = await Desk.open(await open())
    const { task, fence } = stale(await desk.run(await desk.card('a')))
    const before = await desk.store.exportAll()
    expect(await desk.refused('terminating', { task, fence, reason: 'r' }, clockwork)).toBe('run_superseded')
    expect(await desk.refused('register', { task, fence, identity: identity() }, clockwork)).toBe('run_superseded')
    expect(await desk.store.exportAll()).toEqual(before)
  })

  it('no fence is valid for a manual run', async () => {
    const desk = await Desk.open(await open())
    const id = await desk.card('a')
    await desk.ok('claim_manual', { task: id, runId: runOf('m') })
    const fence = { runId: runOf('m'), tokenHash: 'guess' }
    expect(await desk.refusedQuietly('heartbeat', { task: id, fence }, person)).toBe('run_superseded')
    expect(await desk.store.renewLease('main', fence)).toBeNull()
  })
})
