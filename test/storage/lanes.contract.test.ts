import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/core/board.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { card, clockwork, commentOf, orchestrator, person, runOf, worker } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

describeStores('finishing as a person', (open) => {
  it('completing an unclaimed card stores the hand-off in a run', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('complete', { task: card('a'), runId: runOf('x'), summary: 'Was done already', metadata: { by: 1 } })
    expect(await desk.store.runs('main', card('a'))).toMatchObject([
      { id: runOf('x'), kind: 'manual', attempt: 1, outcome: 'completed', summary: 'Was done already' },
    ])
    await desk.card('b')
    await desk.ok('complete', { task: card('b'), runId: runOf('y') })
    expect(await desk.store.runs('main', card('b'))).toEqual([])
    expect(await desk.refusedQuietly('complete', { task: card('b'), runId: runOf('z') })).toBe('wrong_status')
  })

  it('completing a card runs its checks, unless a reason to skip them is given', async () => {
    const desk = await Desk.open(await open())
    const checks = ['npm test']
    await desk.card('a', { checks })
    await desk.card('f', { checks })
    const input = { task: card('a'), runId: runOf('x'), summary: 'Done' }
    expect(await desk.refusedQuietly('complete', input)).toBe('checks_required')
    const checker = { tokenHash: 'check', machine: 'laptop' }
    expect(await desk.ok('complete', { ...input, checker })).toMatchObject({ pending: true, runId: runOf('x') })
    expect(await desk.runRow(runOf('x'))).toMatchObject({ phase: 'check', verdict: { kind: 'complete' } })
    const claimed = { task: card('a'), runId: runOf('x'), fence: { runId: runOf('x'), tokenHash: 'check' } }
    expect(await desk.settle(claimed, { ending: { how: 'checks_failed' } })).toMatchObject({ status: 'ready' })
    expect((await desk.task(card('a'))).consecutiveFailures).toBe(0)
    await desk.ok('complete', { task: card('f'), runId: runOf('y'), force: 'the build is broken' })
    expect(await desk.lastEvent(card('f'))).toMatchObject({ data: { forced: 'the build is broken' } })
  })

  it('a person can approve a review or request changes', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('request_review', { task: card('a'), runId: runOf('x'), summary: 'Please', reviewer: 'critic' })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'review', reviewer: 'critic' })
    await desk.ok('request_changes', { task: card('a'), runId: runOf('y'), reason: 'more tests' })
    expect(await desk.status(card('a'))).toBe('ready')
    await desk.ok('request_review', { task: card('a'), runId: runOf('z') })
    await desk.ok('approve', { task: card('a'), runId: runOf('w'), summary: 'Good' })
    expect(await desk.status(card('a'))).toBe('done')
    expect((await desk.store.runs('main', card('a'))).map((run) => run.outcome)).toEqual([
      'review_requested',
      'changes_requested',
      'completed',
    ])
    expect(await desk.refusedQuietly('approve', { task: card('a'), runId: runOf('v') })).toBe('wrong_status')
  })

  it('a card whose reviewer keeps failing stays in review for a person', async () => {
    const desk = await Desk.open(await open(), { reviewer: 'critic', retryBaseMs: 0 })
    await desk.card('a')
    await desk.ok('request_review', { task: card('a'), runId: runOf('x') })
    const lane = { board: 'main', agent: null, phase: 'review' } as const
    expect(await desk.store.laneHead(lane, 5)).toHaveLength(1)
    for (const _ of [1, 2])
      await desk.settle(await desk.run(card('a'), { agent: 'critic' }), { ending: { how: 'timed_out' } })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'review', reviewFailures: 2, breakerOpen: true })
    expect(await desk.store.laneHead(lane, 5)).toEqual([])
    expect(await desk.refused('claim', desk.claimInput(card('a'), { agent: 'critic' }), clockwork)).toBe('gate_closed')
  })

  it('unblocking a blocked review returns the card to review', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('request_review', { task: card('a'), runId: runOf('x') })
    await desk.ok('block', { task: card('a'), runId: runOf('y'), reason: 'who decides?' })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'blocked', resumeStatus: 'review' })
    expect(await desk.ok('unblock', { task: card('a') })).toMatchObject({ status: 'review' })
  })

  it('an unblocked card with an open parent waits for the parent', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { blocked: true, parents: [card('p')] })
    expect(await desk.refusedQuietly('unblock', { task: card('c') }, worker(card('c'), runOf('x')))).toBe('not_allowed')
    expect(
      await desk.ok('unblock', { task: card('c'), answer: { id: commentOf(1), text: 'go' } }, orchestrator),
    ).toMatchObject({ status: 'todo' })
    expect(await desk.task(card('c'))).toMatchObject({ blockKind: null, blockReason: null, blockedBy: null })
    expect(await desk.refusedQuietly('unblock', { task: card('c') })).toBe('wrong_status')
  })
})

describeStores('waiting cards', (open) => {
  it('a scheduled card is due at its time and becomes ready', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const far = (await desk.store.now()) + 60_000
    await desk.ok('schedule', { task: card('a'), at: far, reason: 'tonight' })
    expect(await desk.task(card('a'))).toMatchObject({ status: 'scheduled', scheduledAt: far, dueAt: far })
    expect(await desk.store.nextDue()).toBe(far)
    expect(await desk.store.due(far - 1, 5)).toEqual([])
    await desk.ok('wake', { task: card('a') }, clockwork)
    expect(await desk.status(card('a'))).toBe('scheduled')
    const at = (await desk.store.now()) + 10
    await desk.ok('schedule', { task: card('a'), at })
    await desk.test.pass(20)
    expect(await desk.store.due(await desk.store.now(), 5)).toEqual([
      { board: 'main', id: card('a'), status: 'scheduled', dueAt: at, currentRunId: null },
    ])
    await desk.ok('wake', { task: card('a') }, clockwork)
    expect(await desk.task(card('a'))).toMatchObject({ status: 'ready', scheduledAt: null, dueAt: null })
    expect(await desk.lastEvent(card('a'))).toMatchObject({ kind: 'promoted', data: { cause: 'schedule' } })
  })

  it('a card scheduled without a time is never due, and can be unblocked', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    await desk.ok('schedule', { task: card('a') })
    expect(await desk.store.nextDue()).toBeNull()
    await desk.ok('unblock', { task: card('a') })
    expect(await desk.status(card('a'))).toBe('ready')
  })

  it('a scheduled card that is due waits for its open parents', async () => {
    const desk = await Desk.open(await open())
    await desk.card('p')
    await desk.card('c', { parents: [card('p')], scheduledAt: await desk.store.now() })
    await desk.test.pass(1)
    await desk.ok('wake', { task: card('c') }, clockwork)
    expect(await desk.status(card('c'))).toBe('todo')
    expect((await desk.lastEvent(card('c'))).kind).toBe('dependency_waited')
  })

  it('due cards are returned up to the limit, the earliest first', async () => {
    const desk = await Desk.open(await open())
    const now = await desk.store.now()
    for (const [name, at] of [
      ['b', 20],
      ['a', 20],
      ['c', 10],
      ['d', 30],
    ] as const)
      await desk.card(name, { scheduledAt: now + at })
    const ids = async (until: number, limit: number) =>
      (await desk.store.due(now + until, limit)).map((task) => task.id)
    expect(await ids(25, 10)).toEqual([card('c'), card('a'), card('b')])
    expect(await ids(25, 2)).toEqual([card('c'), card('a')])
    expect(await ids(30, 10)).toHaveLength(4)
  })

  it('the next deadline of a run is its start deadline, then its runtime', async () => {
    const desk = await Desk.open(await open(), { startDeadlineMs: 1000, leaseMs: 5000 })
    await desk.card('a')
    await desk.card('b', { maxRuntimeMs: 2000 })
    const { task } = await desk.claim(card('a'))
    const { startedAt } = await desk.task(task)
    expect((await desk.task(task)).dueAt).toBe((startedAt ?? 0) + 1000)
    await desk.run(card('b'))
    const b = await desk.task(card('b'))
    expect(b.dueAt).toBe((b.startedAt ?? 0) + 2000)
  })

  it('a held card leaves its lane until it is released', async () => {
    const desk = await Desk.open(await open())
    await desk.card('a')
    const head = async () => (await desk.store.laneHead({ board: 'main', agent: 'coder', phase: 'work' }, 5)).length
    await desk.ok('hold', { task: card('a'), reason: 'not yet' })
    expect([await head(), (await desk.task(card('a'))).held]).toEqual([0, true])
    expect(await desk.store.lanes()).toEqual([])
    expect(await desk.refusedQuietly('release', { task: card('a') }, worker(card('a'), runOf('x')))).toBe('not_allowed')
    await desk.ok('release', { task: card('a') }, person)
    expect(await head()).toBe(1)
    expect((await desk.kinds(card('a'))).slice(-2)).toEqual(['held', 'released'])
    await desk.complete(card('a'))
    expect(await desk.refusedQuietly('hold', { task: card('a') })).toBe('wrong_status')
  })

  it('promoting a card keeps its failure count', async () => {
    const desk = await Desk.open(await open(), { failureLimit: 3 })
    await desk.card('a')
    await desk.settle(await desk.run(card('a')), { ending: { how: 'timed_out' } })
    await desk.ok('promote', { task: card('a') })
    expect(await desk.task(card('a'))).toMatchObject({ consecutiveFailures: 1, cooldownUntil: null, dueAt: null })
    expect(await desk.lastEvent(card('a'))).toMatchObject({ data: { forced: false, waived: [] } })
  })
})

describeStores('lanes', (open) => {
  it('each board, agent and phase with cards that can start has one lane', async () => {
    const desk = await Desk.open(await open())
    const other = new Desk(desk.test, 'other')
    await other.ok('create_board', { slug: 'other' })
    await desk.card(1)
    await desk.card(2, { assignee: 'writer' })
    await desk.card(3, { assignee: null })
    await desk.card(4, { assignee: 'waiting', parents: [card(1)] })
    await other.card(5)
    await desk.card(6)
    await desk.ok('request_review', { task: card(6), runId: runOf('x'), reviewer: 'critic' })
    await desk.card(7)
    await desk.ok('request_review', { task: card(7), runId: runOf('y') })
    expect(await desk.store.lanes()).toEqual([
      { board: 'main', agent: 'critic', phase: 'review' },
      { board: 'main', agent: null, phase: 'review' },
      { board: 'main', agent: 'coder', phase: 'work' },
      { board: 'main', agent: 'writer', phase: 'work' },
      { board: 'main', agent: null, phase: 'work' },
      { board: 'other', agent: 'coder', phase: 'work' },
    ])
    await other.ok('set_board', { archived: true })
    expect((await desk.store.lanes()).some((lane) => lane.board === 'other')).toBe(false)
  })

  it('the first cards of a lane are sorted by priority and age', async () => {
    const desk = await Desk.open(await open())
    await desk.card('old')
    const older = 1.5 * DEFAULT_SETTINGS.starvationMs
    await desk.test.raw(`update task set created_at = created_at - ${older}, rank = rank - ${older}`)
    const fields = { title: 'New', assignee: 'coder' }
    await desk.ok('create', {
      cards: [
        { id: card('low'), ...fields, priority: -1 },
        { id: card('new'), ...fields },
        { id: card('one'), ...fields, priority: 1 },
        { id: card('two'), ...fields, priority: 2 },
      ],
    })
    const head = await desk.store.laneHead({ board: 'main', agent: 'coder', phase: 'work' }, 10)
    // The age of the old card counts as much as one and a half steps of priority.
    expect(head.map((task) => task.id)).toEqual([card('two'), card('old'), card('one'), card('new'), card('low')])
    const ranks = head.map((task) => task.rank)
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
    const [, second] = head
    const behind = await desk.store.laneHead({ board: 'main', agent: 'coder', phase: 'work' }, 2, second)
    expect(behind.map((task) => task.id)).toEqual([card('one'), card('new')])
    await desk.ok('edit', { task: card('low'), set: { priority: 100 } })
    const [first] = await desk.store.laneHead({ board: 'main', agent: 'coder', phase: 'work' }, 1)
    expect(first?.id).toBe(card('low'))
  })

  it('pages of a lane contain each card once, even with equal ranks', async () => {
    const desk = await Desk.open(await open())
    const names = Array.from({ length: 11 }, (_, at) => `c${at}`)
    const lanes = [
      { agent: 'coder', phase: 'work', ids: names.map((name) => card(name)) },
      { agent: null, phase: 'work', ids: names.map((name) => card(`n${name}`)) },
      { agent: 'critic', phase: 'review', ids: names.map((name) => card(`v${name}`)) },
    ] as const
    for (const { agent, phase, ids } of lanes) {
      const assignee = phase === 'work' ? agent : 'coder'
      await desk.ok('create', { cards: ids.map((id) => ({ id, title: 'Alike', assignee })) })
      if (phase === 'review')
        for (const [at, task] of ids.entries())
          await desk.ok('request_review', { task, runId: runOf(`r${at}`), reviewer: agent })
    }
    for (const { agent, phase, ids } of lanes) {
      const lane = { board: 'main', agent, phase }
      const read: TaskId[] = []
      for (let page = await desk.store.laneHead(lane, 4); page.length > 0;) {
        read.push(...page.map(({ id }) => id))
        page = await desk.store.laneHead(lane, 4, page.at(-1))
      }
      expect(read).toEqual([...ids].sort())
    }
  })
})
