import { expect, it } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { VerbInput } from '../../src/core/transitions/index.ts'
import { attachmentOf, card, clockwork, runOf, sampleAttachment, orchestrator } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

type Verdict = VerbInput<'verdict'>['verdict']
type Ending = VerbInput<'settle'>['ending']

describeStores('a settlement by verdict', (open) => {
  it('settling a verdict `complete` closes the run, finishes the card and promotes its children', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    await desk.card('child', { parents: [card('a')] })
    unwrap(await desk.verdict(claimed, { kind: 'complete', summary: 'It parses.', metadata: { tests: 12 } }))
    const attachment = sampleAttachment({ id: attachmentOf('r'), taskId: card('a'), filename: 'report.md' })
    const usage = { inputTokens: 10, outputTokens: 20, costUsd: 0.25 }
    const outcome = await desk.do('settle', desk.settleInput(claimed, { usage, attachments: [attachment] }), clockwork)
    expect(outcome).toMatchObject({ ok: true, result: { outcome: 'completed', status: 'done' } })
    const now = outcome.ok ? outcome.now : 0
    expect(await desk.runRow(claimed.runId)).toMatchObject({
      endedAt: now,
      outcome: 'completed',
      summary: 'It parses.',
      metadata: { tests: 12 },
      exitCode: 0,
      signal: null,
      error: null,
      usage,
    })
    expect(await desk.task(card('a'))).toMatchObject({
      status: 'done',
      currentRunId: null,
      completedAt: now,
      dueAt: null,
      result: 'It parses.',
      metadata: { tests: 12 },
    })
    expect(await desk.status(card('child'))).toBe('ready')
    expect(await desk.store.attachments('main', card('a'))).toEqual([attachment])
    expect(await desk.lastEvent(card('a'))).toMatchObject({ kind: 'completed', data: { artifacts: ['report.md'] } })
  })

  it('a verdict `block` blocks the card, and a verdict `request_review` starts a review', async () => {
    const desk = await Desk.open(await open())
    const verdicts: readonly (readonly [Verdict, string, string])[] = [
      [{ kind: 'block', reason: 'which key?', blockKind: 'needs_input' }, 'blocked', 'blocked'],
      [{ kind: 'request_review', summary: 'Look', reviewer: 'critic' }, 'review', 'review_requested'],
    ]
    for (const [verdict, status, outcome] of verdicts) {
      const claimed = await desk.run(await desk.card(status))
      unwrap(await desk.verdict(claimed, verdict))
      expect(await desk.settle(claimed)).toMatchObject({ outcome, status })
      expect(await desk.status(card(status))).toBe(status)
      const events = await desk.kinds(card(status))
      expect(events.at(-1)).toBe(outcome)
    }
  })

  it('a dependency block waits for an open parent, or for a person', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('a')
    const block = { kind: 'block', reason: 'needs p', blockKind: 'dependency' } as const
    const first = await desk.run(card('a'))
    await desk.ok('link', { parent: card('p'), child: card('a') })
    unwrap(await desk.verdict(first, block))
    expect(await desk.settle(first)).toMatchObject({ outcome: 'blocked', status: 'todo' })
    expect(await desk.task(card('a'))).toMatchObject({ blockKind: 'dependency', blockReason: 'needs p' })
    await desk.complete(card('p'))
    expect(await desk.task(card('a'))).toMatchObject({ status: 'ready', blockKind: null, blockedBy: null })
    const second = await desk.run(card('a'))
    unwrap(await desk.verdict(second, block))
    expect(await desk.settle(second)).toMatchObject({ status: 'blocked' })
    expect((await desk.task(card('a'))).blockKind).toBe('needs_input')
  })

  it('repeated blocks of one kind move the card to triage', async () => {
    const desk = await Desk.open(await open(), { blockLoopLimit: 3 })
    await desk.card('a')
    const statuses: unknown[] = []
    for (const _ of [1, 2, 3]) {
      const claimed = await desk.run(card('a'))
      unwrap(await desk.verdict(claimed, { kind: 'block', reason: 'again', blockKind: 'transient' }))
      statuses.push((await desk.settle(claimed)).status)
      if (statuses.length < 3) await desk.ok('unblock', { task: card('a') })
    }
    expect(statuses).toEqual(['blocked', 'blocked', 'triage'])
    expect((await desk.lastEvent(card('a'))).kind).toBe('block_loop_detected')
  })

  it('a review run approves the card or requests changes', async () => {
    const desk = await Desk.open(await open(), { reviewer: 'critic' })
    await desk.card('a')
    await desk.ok('request_review', { task: card('a'), runId: runOf('x'), summary: 'Please' })
    const first = await desk.run(card('a'), { agent: 'critic' })
    unwrap(await desk.verdict(first, { kind: 'request_changes', reason: 'no tests' }))
    expect(await desk.settle(first)).toMatchObject({ outcome: 'changes_requested', status: 'ready' })
    await desk.ok('request_review', { task: card('a'), runId: runOf('y') })
    const second = await desk.run(card('a'), { agent: 'critic' })
    unwrap(await desk.verdict(second, { kind: 'complete', summary: 'Good' }))
    expect(await desk.settle(second)).toMatchObject({ outcome: 'completed', status: 'done' })
    expect((await desk.kinds(card('a'))).slice(-2)).toEqual(['completed', 'approved'])
    expect((await desk.store.runs('main', card('a'))).map((run) => run.attempt)).toEqual([1, 2, 3])
  })

  it('the verdict in the file of a run counts if the store has no verdict', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    const verdict = { kind: 'complete', summary: 'From the file' } as const
    expect(await desk.settle(claimed, { verdict })).toMatchObject({ outcome: 'completed' })
    expect((await desk.task(card('a'))).result).toBe('From the file')
  })

  it('a summary that names unknown cards is recorded', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    unwrap(await desk.verdict(claimed, { kind: 'complete', summary: `See ${card('a')} and t_zzzzzzzzzz` }))
    await desk.settle(claimed)
    expect(await desk.lastEvent(card('a'))).toMatchObject({
      kind: 'unknown_cards_mentioned',
      data: { ids: ['t_zzzzzzzzzz'] },
    })
  })

  it('a verdict `complete` without passed checks fails the run and is recorded', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a', { checks: ['make'] }))
    unwrap(await desk.verdict(claimed, { kind: 'complete', summary: 'Surely' }))
    expect(await desk.settle(claimed)).toMatchObject({ outcome: 'checks_failed', status: 'ready' })
    expect(await desk.kinds(card('a'))).toEqual(expect.arrayContaining(['checks_failed', 'late_result']))
    expect((await desk.task(card('a'))).consecutiveFailures).toBe(1)
  })
})

describeStores('a settlement without a verdict', (open) => {
  const crash = { how: 'exited', exitCode: 1 } as const

  /** The ending of a run, its outcome, and the consequences for the card. */
  const ENDINGS: readonly (readonly [Ending, string, { counted?: number; cools?: boolean; violations?: number }])[] = [
    [{ how: 'exited', exitCode: 3 }, 'crashed', { counted: 1, cools: true }],
    [{ how: 'exited', exitCode: null, signal: 'SIGKILL' }, 'crashed', { counted: 1, cools: true }],
    [{ how: 'timed_out' }, 'timed_out', { counted: 1, cools: true }],
    [{ how: 'turn_limit' }, 'timed_out', { counted: 1, cools: true }],
    [{ how: 'spawn_failed' }, 'spawn_failed', { counted: 1, cools: true }],
    [{ how: 'checks_failed' }, 'checks_failed', { counted: 1, cools: true }],
    [{ how: 'exited', exitCode: 0 }, 'protocol_violation', { violations: 1, cools: true }],
    [{ how: 'stale' }, 'stale', {}],
    [{ how: 'interrupted' }, 'interrupted', {}],
    [{ how: 'rate_limited' }, 'rate_limited', { cools: true }],
    [{ how: 'stopped' }, 'stopped', {}],
  ]

  it('each ending without a verdict sets the outcome, the failure count and the wait', async () => {
    const desk = await Desk.open(await open())
    for (const [at, [ending, outcome, costs]] of ENDINGS.entries()) {
      const { counted = 0, cools = false, violations = 0 } = costs
      const claimed = await desk.run(await desk.card(at))
      const settled = await desk.settle(claimed, { ending, lastOutput: 'last words' })
      expect(settled).toMatchObject({ outcome, status: 'ready' })
      const task = await desk.task(card(at))
      expect(task).toMatchObject({
        status: 'ready',
        currentRunId: null,
        consecutiveFailures: counted,
        protocolViolations: violations,
        held: outcome === 'stopped',
      })
      expect(task.dueAt).toBe(task.cooldownUntil)
      expect(task.cooldownUntil !== null).toBe(cools)
      expect(await desk.runRow(claimed.runId)).toMatchObject({ outcome, signal: ending.signal ?? null })
      const events = await desk.kinds(card(at))
      expect(events.at(-1)).toBe(outcome)
    }
  })

  it('exit 0 can complete a card, and exit 75 is a rate limit', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.card('b')
    const settling = { completesOnExit: true, lastOutput: 'all green' }
    expect(await desk.settle(await desk.run(card('a')), settling)).toMatchObject({ outcome: 'completed' })
    expect((await desk.task(card('a'))).result).toBe('all green')
    const ending = { how: 'exited', exitCode: 75 } as const
    expect(await desk.settle(await desk.run(card('b')), { ...settling, ending })).toMatchObject({
      outcome: 'rate_limited',
    })
    expect(await desk.task(card('b'))).toMatchObject({ rateLimits: 1, consecutiveFailures: 0 })
  })

  it('the breaker opens at the failure limit, and only a person closes it', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 0 })
    await desk.card('a')
    expect(await desk.settle(await desk.run(card('a')), { ending: crash })).toMatchObject({ status: 'ready' })
    expect(await desk.settle(await desk.run(card('a')), { ending: crash })).toMatchObject({ status: 'blocked' })
    expect(await desk.task(card('a'))).toMatchObject({
      breakerOpen: true,
      blockKind: 'breaker',
      blockedBy: 'muster:breaker',
      consecutiveFailures: 2,
    })
    expect(await desk.lastEvent(card('a'))).toMatchObject({
      kind: 'gave_up',
      data: { failures: 2, limit: 2, trigger: 'crashed' },
    })
    expect(await desk.refusedQuietly('unblock', { task: card('a') }, orchestrator)).toBe('not_allowed')
    expect(await desk.refusedQuietly('promote', { task: card('a') }, orchestrator)).toBe('not_allowed')
    await desk.ok('unblock', { task: card('a') })
    expect(await desk.task(card('a'))).toMatchObject({ breakerOpen: false, consecutiveFailures: 0, status: 'ready' })
  })

  it('unblocking does not restart the count of attempts', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 0, attemptsLimit: 7 })
    await desk.card('a')
    const statuses: unknown[] = []
    for (let run = 1; run <= 26 && statuses.at(-1) !== 'triage'; run += 1) {
      statuses.push((await desk.settle(await desk.run(card('a')), { ending: crash })).status)
      if (statuses.at(-1) === 'blocked') await desk.ok('unblock', { task: card('a') })
    }
    const rounds = ['ready', 'blocked', 'ready', 'blocked', 'ready', 'blocked']
    // From the seventh attempt on, the attempts limit blocks the card after each attempt.
    expect(statuses).toEqual([...rounds, 'blocked', 'blocked', 'blocked', 'triage'])
    expect(await desk.task(card('a'))).toMatchObject({ blockKind: 'attempts', breakerOpen: true })
    expect(await desk.lastEvent(card('a'))).toMatchObject({ kind: 'block_loop_detected', data: { recurrences: 4 } })
  })

  it("a person's reset restarts the count of attempts", async () => {
    const desk = await Desk.open(await open(), { attemptsLimit: 2 })
    await desk.card('a')
    const attempt = async () =>
      (await desk.settle(await desk.run(card('a')), { ending: { how: 'interrupted' } })).status
    expect([await attempt(), await attempt()]).toEqual(['ready', 'blocked'])
    await desk.ok('unblock', { task: card('a') })
    expect(await attempt()).toBe('blocked')
    expect(await desk.refusedQuietly('unblock', { task: card('a'), reset: true }, orchestrator)).toBe('not_allowed')
    await desk.test.pass(1)
    await desk.ok('unblock', { task: card('a'), reset: true })
    await desk.test.pass(1)
    expect(await attempt()).toBe('ready')
  })

  it('a retry soon after a success waits, even if the card was reopened', async () => {
    const desk = await Desk.open(await open(), { failureLimit: 5 })
    await desk.card('a')
    const claimed = await desk.run(card('a'))
    unwrap(await desk.verdict(claimed, { kind: 'complete', summary: 'done' }))
    await desk.settle(claimed)
    await desk.ok('reopen', { task: card('a') })
    await desk.settle(await desk.run(card('a')), { ending: crash })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'ready', guardReason: 'recent_success' })
    expect((await desk.lastEvent(card('a'))).kind).toBe('respawn_guarded')
  })

  it('the limit on attempts also counts attempts without a failure', async () => {
    const desk = await Desk.open(await open(), { attemptsLimit: 3 })
    await desk.card('a')
    const statuses: unknown[] = []
    for (const _ of [1, 2, 3])
      statuses.push((await desk.settle(await desk.run(card('a')), { ending: { how: 'interrupted' } })).status)
    expect(statuses).toEqual(['ready', 'ready', 'blocked'])
    expect(await desk.task(card('a'))).toMatchObject({ blockKind: 'attempts', consecutiveFailures: 0 })
  })

  it('`wake` returns a card to its lane after the wait for a retry', async () => {
    const desk = await Desk.open(await open(), { retryBaseMs: 30, failureLimit: 5 })
    await desk.card('a')
    const lane = { board: 'main', agent: 'coder', phase: 'work' } as const
    await desk.settle(await desk.run(card('a')), { ending: crash })
    expect(await desk.store.laneHead(lane, 5)).toEqual([])
    expect(await desk.store.nextDue()).toBe((await desk.task(card('a'))).cooldownUntil)
    await desk.test.pass(40)
    expect(await desk.store.due(await desk.store.now(), 5)).toMatchObject([{ id: card('a'), status: 'ready' }])
    await desk.ok('wake', { task: card('a') }, clockwork)
    expect(await desk.store.laneHead(lane, 5)).toMatchObject([{ id: card('a'), dueAt: null }])
    expect(await desk.store.nextDue()).toBeNull()
    await desk.claim(card('a'))
  })
})

describeStores('a settlement by a dispatcher', (open) => {
  it('a dispatcher settles only runs of its machine, under its lease', async () => {
    const desk = await Desk.open(await open())
    const claimed = await desk.run(await desk.card('a'))
    const by = (machine: string, token: string) => ({
      ...desk.settleInput(claimed, { ending: { how: 'interrupted' } }),
      by: { machine, dispatcherTokenHash: token },
    })
    expect(await desk.refusedQuietly('settle', by('laptop', 'nobody'), clockwork)).toBe('run_superseded')
    expect(await desk.ok('settle', by('laptop', 'lead'), clockwork)).toMatchObject({ outcome: 'interrupted' })
  })

  it('another machine settles a run only after its lease has ended', async () => {
    const desk = await Desk.open(await open())
    await desk.lead('there', 3_600_000, 'desktop')
    const claimed = await desk.run(await desk.card('a'))
    const input = {
      ...desk.settleInput(claimed, { ending: { how: 'interrupted' } }),
      by: { machine: 'desktop', dispatcherTokenHash: 'there' },
    }
    await desk.store.renewLease('main', claimed.fence)
    expect(await desk.refusedQuietly('settle', input, clockwork)).toBe('run_live')
    await desk.test.raw('update run set lease_until = 1')
    expect(await desk.ok('settle', input, clockwork)).toMatchObject({ outcome: 'interrupted' })
    expect(await desk.verdict(claimed, { kind: 'complete', summary: 'I was slow' })).toMatchObject({
      error: { code: 'run_superseded' },
    })
  })
})
