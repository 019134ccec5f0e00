import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { VerbInput, VerbName } from '../../src/core/transitions/index.ts'
import { previewPass } from '../../src/dispatcher/preview.ts'
import { tick } from '../../src/dispatcher/tick.ts'
import { newRunId, newTaskId } from '../../src/util/mint.ts'
import { clockwork, person } from '../helpers/sample.ts'
import { openDispatch, storeWith } from './dispatch-context.ts'
import type { TestDispatch } from './dispatch-context.ts'

const act = async <N extends VerbName>({ store }: TestDispatch, verb: N, input: VerbInput<N>): Promise<void> => {
  unwrap(await store.decide<N>({ verb, board: 'default', actor: person, input }))
}

/** Makes a run that has this ending, without a process. */
async function attempt(
  board: TestDispatch,
  task: TaskId,
  ending: VerbInput<'settle'>['ending'],
  account: string | null = null,
): Promise<void> {
  const { store, context } = board
  const { leadership } = context
  const { cooldownUntil } = (await store.task('default', task)) ?? {}
  await board.pass(Math.max(0, (cooldownUntil ?? 0) - (await store.now())))
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const by = { dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash, machine: leadership.machine }
  const address = { board: 'default', actor: clockwork } as const
  const { assignee } = (await store.task('default', task)) ?? {}
  const claim = { task, ...fence, agent: assignee ?? '', account, ...by }
  unwrap(await store.decide({ ...address, verb: 'claim', input: claim }))
  const end = { task, runId: fence.runId, by: { fence }, ending, account }
  unwrap(await store.decide({ ...address, verb: 'settle', input: end }))
}

/** Renews the leadership, which expires when a test lets hours pass. */
async function renewLeadership({ store, context: { leadership } }: TestDispatch): Promise<void> {
  const { machine, identity, tokenHash } = leadership
  const input = { machine, identity, tokenHash, leaseMs: 3_600_000 }
  unwrap(await store.decide({ board: 'default', actor: clockwork, verb: 'lead_dispatch', input }))
}

test('blocked cards stay blocked over a thousand passes (scenarios 32, 35, 36)', async () => {
  const board = await openDispatch()
  const [parent, tripped, stuck] = (await board.create(3)) as [TaskId, TaskId, TaskId]
  const born = newTaskId()
  await act(board, 'create', {
    cards: [{ id: born, title: 'Blocked', assignee: 'shell', body: 'true', blocked: true }],
  })
  await act(board, 'link', { parent, child: stuck })
  await act(board, 'hold', { task: parent })
  for (let nth = 0; nth < 2; nth += 1) await attempt(board, tripped, { how: 'exited', exitCode: 1 })
  await act(board, 'promote', { task: stuck, force: true })
  await act(board, 'block', { task: stuck, runId: newRunId(), reason: 'which colour?' })
  await act(board, 'complete', { task: parent, runId: newRunId() })
  for (let pass = 0; pass < 1000; pass += 1) {
    await board.pass(60_000)
    // The leadership lasts an hour.
    if (pass % 50 === 0) await renewLeadership(board)
    const report = await tick({ ...board.context })
    expect(report.started).toEqual([])
    if (pass % 100 === 0) await board.store.tasks('default')
  }
  for (const id of [tripped, stuck, born])
    expect(await board.store.task('default', id)).toMatchObject({ status: 'blocked' })
})

test('cards with equal time and priority always start in the same order (scenario 48)', async () => {
  const { context, create } = await openDispatch()
  const cards = (await create(6)).toSorted()
  for (let pass = 0; pass < 5; pass += 1)
    expect((await previewPass(context)).started.map(({ id }) => id)).toEqual(cards.slice(0, context.options.machineCap))
})

test('five hundred children of one parent become ready at once, and start within the caps (scenario 83)', async () => {
  const board = await openDispatch()
  const [parent] = (await board.create(1)) as [TaskId]
  const cards = Array.from({ length: 500 }, () => ({
    id: newTaskId(),
    title: 'A child',
    body: 'true',
    assignee: 'shell',
    parents: [parent],
  }))
  for (let at = 0; at < 500; at += 100) await act(board, 'create', { cards: cards.slice(at, at + 100) })
  await act(board, 'complete', { task: parent, runId: newRunId() })
  expect((await board.store.counts('default')).ready).toBe(500)
  let left = board.context.options.machineCap
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const report = await tick({ ...board.context, onSupervisorExit: () => (left -= 1) === 0 && end() })
  await ended
  expect(report.started).toHaveLength(board.context.options.machineCap)
  expect(report.capped[0]).toMatchObject({ cap: 'machine', used: 4, limit: 4 })
})

test('a refused login pauses its account until a person resumes it (scenario 39)', async () => {
  const board = await openDispatch()
  const { store, context } = board
  mkdirSync(join(context.options.home, 'agents'))
  writeFileSync(join(context.options.home, 'agents', 'spender.md'), '---\nharness: shell\naccount: acme\n---\n')
  const cards = (await board.create(2, { assignee: 'spender' })) as [TaskId, TaskId]
  const [refused, waiting] = cards
  await attempt(board, refused, { how: 'auth_failed', error: 'Invalid API key' }, 'acme')
  expect(await store.account('acme')).toMatchObject({ pauseCause: 'auth', pausedUntil: null, probeRunId: null })
  expect(await store.task('default', refused)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
  await board.pass(60_000)
  await tick({ ...context })
  const { cursor } = await store.feed(null)
  for (let hour = 0; hour < 24; hour += 1) {
    await board.pass(3_600_000)
    await renewLeadership(board)
    const report = await tick({ ...context })
    expect(report.started).toEqual([])
    const params = { account: 'acme', cause: 'auth', reason: 'Invalid API key' }
    expect(report.deferred).toMatchObject(Array(2).fill({ reason: { code: 'account_paused', params } }))
  }
  expect((await store.feed(cursor)).events.filter(({ taskId }) => taskId !== null)).toEqual([])
  expect(await store.account('acme')).toMatchObject({ pauseCause: 'auth', probeRunId: null })
  for (const id of cards) expect(await store.task('default', id)).toMatchObject({ status: 'ready', currentRunId: null })
  expect(await store.runs('default', refused)).toHaveLength(1)
  expect(await store.runs('default', waiting)).toEqual([])
  await act(board, 'resume_account', { account: 'acme' })
  expect((await previewPass(context)).started.map(({ id }) => id).toSorted()).toEqual(cards.toSorted())
})

test('a pass reads only the first of ten thousand cards of a paused account (scenario 84)', async () => {
  const board = await openDispatch()
  const { store, context } = board
  mkdirSync(join(context.options.home, 'agents'))
  writeFileSync(join(context.options.home, 'agents', 'spender.md'), '---\nharness: shell\naccount: acme\n---\n')
  const cards = Array.from({ length: 10_000 }, () => ({
    id: newTaskId(),
    title: 'A card',
    body: 'true',
    assignee: 'spender',
  }))
  for (let at = 0; at < cards.length; at += 500) await act(board, 'create', { cards: cards.slice(at, at + 500) })
  await act(board, 'pause_account', { account: 'acme', cause: 'quota' })
  const { cursor } = await store.feed(null)
  let asked = 0
  let read = 0
  const counting = storeWith(store, {
    decide: async (command) => {
      asked += 1
      return store.decide(command)
    },
    laneHead: async (...args) => {
      const found = await store.laneHead(...args)
      read += found.length
      return found
    },
  })
  for (let pass = 0; pass < 5; pass += 1) await tick({ ...context, store: counting })
  expect([asked / 5, read / 5]).toEqual([1, 32])
  expect((await store.feed(cursor)).events).toEqual([])
})
