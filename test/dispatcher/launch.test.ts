import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { BoardError } from '../../src/core/errors.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { recover } from '../../src/dispatcher/recovery/recover.ts'
import { tick } from '../../src/dispatcher/tick.ts'
import type { Store } from '../../src/storage/store.ts'
import { newRunId } from '../../src/util/mint.ts'
import { clockwork, person } from '../helpers/sample.ts'
import { countingClaims, openDispatch, storeWith, whenEnded } from './dispatch-context.ts'

test('in an unwritable data folder the pass fails, but the card does not', async () => {
  const { context, store, create } = await openDispatch()
  const [first, second] = (await create(2)).toSorted() as [TaskId, TaskId]
  writeFileSync(join(context.options.home, 'runs'), 'not a folder')
  for (let pass = 0; pass < 3; pass += 1)
    await expect(tick(context)).rejects.toMatchObject({ code: 'store_io', message: expect.stringContaining('runs') })
  expect(await store.task('default', first)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
  expect((await store.runs('default', first)).map(({ outcome }) => outcome)).toEqual(Array(3).fill('interrupted'))
  expect(await store.runs('default', second)).toEqual([])
})

/** Keeps this process from starting other processes until the test ends. */
function breakNodePath(): void {
  const { execPath } = process
  process.execPath = '/no/such/node'
  onTestFinished(() => void (process.execPath = execPath))
}

test('a supervisor that cannot be started does not count against the agent', async () => {
  const { context, store, create } = await openDispatch()
  const [card] = (await create(1)) as [TaskId]
  breakNodePath()
  await expect(tick(context)).rejects.toMatchObject({ code: 'store_io', message: expect.stringContaining(card) })
  expect(await store.task('default', card)).toMatchObject({ status: 'ready', consecutiveFailures: 0 })
})

test('the next pass closes an unrecorded failed start without counting a failure', async () => {
  const { context, store, create } = await openDispatch()
  const [card] = (await create(1)) as [TaskId]
  let isFull = true
  const decide = (async (command: Parameters<Store['decide']>[0]) => {
    if (isFull && command.verb === 'settle') throw new BoardError('store_corrupt', 'the write fails')
    return store.decide(command)
  }) as Store['decide']
  breakNodePath()
  await expect(tick({ ...context, store: storeWith(store, { decide }) })).rejects.toMatchObject({ code: 'store_io' })
  expect(await store.task('default', card)).toMatchObject({ status: 'running' })
  isFull = false
  const { settled } = await recover(context)
  expect(settled).toMatchObject([{ id: card, outcome: 'interrupted', status: 'ready' }])
  const [run] = await store.runs('default', card)
  expect(run?.error).toContain('/no/such/node')
  expect(await store.task('default', card)).toMatchObject({ consecutiveFailures: 0 })
})

test('a claim resent after a lost reply creates only one run', async () => {
  const { context, store, create } = await openDispatch()
  const [card] = (await create(1)) as [TaskId]
  let lost = 2
  const decide = (async (command: Parameters<Store['decide']>[0]) => {
    const answer = await store.decide(command)
    if (command.verb === 'claim' && (lost -= 1) >= 0) throw new BoardError('store_unreachable', 'reset by peer')
    return answer
  }) as Store['decide']
  const { ended, onSupervisorExit } = whenEnded(1)
  const report = await tick({ ...context, store: storeWith(store, { decide }), onSupervisorExit })
  await ended
  expect(report.started).toMatchObject([{ id: card, attempt: 1 }])
  expect(await store.runs('default', card)).toHaveLength(1)
})

test('a pass tries to claim from a paused lane only once, and lists only the first cards', async () => {
  const { context, store, create } = await openDispatch()
  await create(40)
  const input = { kind: 'agent', name: 'shell', reason: 'for lunch' } as const
  unwrap(await store.decide({ verb: 'pause', board: 'default', actor: person, input }))
  const counting = countingClaims(store)
  const report = await tick({ ...context, store: counting.store })
  expect(counting.claims()).toBe(1)
  expect(report.deferred).toHaveLength(10)
  const reason = { code: 'paused', params: { kind: 'agent', name: 'shell', reason: 'for lunch' } }
  expect(report.deferred[0]).toMatchObject({ reason })
  expect(report.more).toMatchObject([{ count: 22, reason }])
})

test('a pass starts at most `max` cards and reports the limit for the others', async () => {
  const { context, create } = await openDispatch()
  const [first, second] = (await create(2)).toSorted()
  const { ended, onSupervisorExit } = whenEnded(1)
  const report = await tick({ ...context, max: 1, onSupervisorExit })
  await ended
  expect(report.started.map(({ id }) => id)).toEqual([first])
  expect(report.capped).toEqual([{ id: second, agent: 'shell', phase: 'work', cap: 'pass', used: 1, limit: 1 }])
})

test('a review runs the author’s checks, even without the author’s file', async () => {
  const { context, store, create } = await openDispatch()
  const [card] = (await create(1, { assignee: 'author' })) as [TaskId]
  const { leadership, options } = context
  const address = { board: 'default', actor: clockwork } as const
  const fence = { runId: newRunId(), tokenHash: 'claim' }
  const by = { machine: leadership.machine, dispatcher: leadership.identity, dispatcherTokenHash: leadership.tokenHash }
  const claim = { task: card, ...fence, ...by, agent: 'author', checks: ['npm test'] }
  unwrap(await store.decide({ ...address, verb: 'claim', input: claim }))
  const settle = { task: card, runId: fence.runId, by: { fence }, ending: { how: 'interrupted' } } as const
  unwrap(await store.decide({ ...address, verb: 'settle', input: settle }))
  const asked = { task: card, runId: newRunId(), reviewer: 'boss' }
  unwrap(await store.decide({ board: 'default', actor: person, verb: 'request_review', input: asked }))

  mkdirSync(join(options.home, 'agents'))
  writeFileSync(join(options.home, 'agents', 'boss.md'), '---\nharness: command\nargs: [/bin/true]\n---\n')
  const { ended, onSupervisorExit } = whenEnded(1)
  await tick({ ...context, onSupervisorExit })
  await ended
  expect((await store.runs('default', card)).find(({ phase }) => phase === 'review')).toMatchObject({
    agent: 'boss',
    checks: { ofAgent: ['npm test'] },
  })
})
