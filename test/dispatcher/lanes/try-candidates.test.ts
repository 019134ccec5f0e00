import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import type { VerbInput, VerbName } from '../../../src/core/transitions/index.ts'
import type { LeaderContext } from '../../../src/dispatcher/dispatch-context.ts'
import { msToNextLook } from '../../../src/dispatcher/next-look.ts'
import type { DispatchReport } from '../../../src/dispatcher/report.ts'
import { tick } from '../../../src/dispatcher/tick.ts'
import type { Store } from '../../../src/storage/store.ts'
import { newRunId, newTaskId } from '../../../src/util/mint.ts'
import { person } from '../../helpers/sample.ts'
import { countingClaims, openDispatch, storeWith, whenEnded } from '../dispatch-context.ts'
import type { TestDispatch } from '../dispatch-context.ts'

const NOTHING_TO_RUN = { body: ' ' }

const withCap = (context: LeaderContext, machineCap: number): LeaderContext => ({
  ...context,
  options: { ...context.options, machineCap },
})

/** Makes a pass that starts one card, and waits until the supervisor of the card has ended. */
async function tickOnce(context: LeaderContext): Promise<DispatchReport> {
  const { ended, onSupervisorExit } = whenEnded(1)
  const report = await tick({ ...context, onSupervisorExit })
  expect(report.started).toHaveLength(1)
  await ended
  return report
}

const decideAsPerson =
  ({ store }: Pick<TestDispatch, 'store'>) =>
  async <N extends VerbName>(verb: N, input: VerbInput<N>): Promise<void> => {
    unwrap(await store.decide({ verb, board: 'default', actor: person, input }))
  }

/** Adds agents that run the body of a card as a script, like `shell`. */
function addAgents({ context }: TestDispatch, ...names: readonly string[]): void {
  const folder = join(context.options.home, 'agents')
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, `${name}.md`), '---\nharness: shell\n---\n')
}

/** Creates cards of `shell`, each in a directory of its own in which a person already works. */
async function createBusy(board: TestDispatch, count: number): Promise<void> {
  const decide = decideAsPerson(board)
  for (let at = 0; at < count; at += 1) {
    const workspace = { kind: 'dir', path: `/srv/site-${at}` } as const
    const [held, waiting] = [newTaskId(), newTaskId()]
    const cards = [held, waiting].map((id) => ({ id, title: 'A card', body: 'true', assignee: 'shell', workspace }))
    await decide('create', { cards })
    await decide('claim_manual', { task: held, runId: newRunId() })
  }
}

test('cards that cannot start do not block the cards after them', async () => {
  const { context, create } = await openDispatch()
  await create(40, NOTHING_TO_RUN)
  const [good] = await create(1)
  const { ended, onSupervisorExit } = whenEnded(1)
  const report = await tick({ ...context, onSupervisorExit })
  await ended
  expect(report.started).toMatchObject([{ id: good }])
  expect(report.deferred).toHaveLength(10)
  expect(report.more).toMatchObject([{ count: 30, reason: { code: 'body_missing' } }])
})

test('a pass tries cards behind several pages of cards that cannot start', async () => {
  const { context, create, pass } = await openDispatch()
  await create(300, NOTHING_TO_RUN)
  await pass(1_000)
  const [good] = await create(1)
  const { ended, onSupervisorExit } = whenEnded(1)
  const report = await tick({ ...context, onSupervisorExit })
  await ended
  expect(report.started).toMatchObject([{ id: good }])
})

test('one pass reads a limited part of a lane, and the next pass continues', async () => {
  const { context, store, create, pass } = await openDispatch()
  await create(1_200, NOTHING_TO_RUN)
  await pass(1_000)
  const [good] = await create(1)
  const looked: (string | null)[] = []
  const laneHead: Store['laneHead'] = async (lane, limit, after = null) => {
    looked.push(after?.id ?? null)
    return store.laneHead(lane, limit, after)
  }
  const { ended, onSupervisorExit } = whenEnded(1)
  const patient = { ...context, store: storeWith(store, { laneHead }), onSupervisorExit }
  const first = await tick(patient)
  expect(first.started).toEqual([])
  expect(looked).toHaveLength(9)
  expect(first.deferred).toHaveLength(10)
  expect(first.more).toMatchObject([{ reason: { code: 'body_missing' } }])
  const second = await tick(patient)
  await ended
  expect(second.started).toMatchObject([{ id: good }])
  expect(looked[9]).toBeNull()
  expect(looked[10]).not.toBe(looked[1])
})

test('a busy agent does not starve an agent whose first cards cannot start', async () => {
  const board = await openDispatch()
  addAgents(board, 'busy')
  await board.create(200, NOTHING_TO_RUN)
  await board.pass(1_000)
  const [good] = await board.create(1)
  await board.pass(1_000)
  await board.create(40, { assignee: 'busy' })
  expect((await tickOnce(withCap(board.context, 1))).started).toMatchObject([{ id: good, agent: 'shell' }])
})

test('cards start by rank across all agents and lanes', async () => {
  const board = await openDispatch()
  addAgents(board, 'other')
  await board.create(40, NOTHING_TO_RUN)
  const inOrder: TaskId[] = []
  for (const assignee of ['other', 'shell', 'other', 'shell']) {
    await board.pass(1_000)
    inOrder.push(...(await board.create(1, { assignee })))
  }
  const { ended, onSupervisorExit } = whenEnded(4)
  const { started } = await tick({ ...withCap(board.context, 4), onSupervisorExit })
  await ended
  expect(started.map(({ id }) => id)).toEqual(inOrder)
})

test('after 64 refused claims a lane waits for the next pass', async () => {
  const board = await openDispatch()
  await createBusy(board, 70)
  await board.pass(1_000)
  const [good] = await board.create(1)
  const first = countingClaims(board.store)
  expect((await tick({ ...board.context, store: first.store })).started).toEqual([])
  expect(first.claims()).toBe(64)
  expect(await msToNextLook(board.context)).toBe(250)
  expect((await tickOnce(board.context)).started).toMatchObject([{ id: good }])
})

test('a single pass continues after any number of refused claims', async () => {
  const board = await openDispatch()
  await createBusy(board, 70)
  await board.pass(1_000)
  const [good] = await board.create(1)
  expect((await tickOnce({ ...board.context, lanePositions: null })).started).toMatchObject([{ id: good }])
})

test('the next pass comes soon only while a lane has unread cards', async () => {
  const { context, create } = await openDispatch()
  await create(1_200, NOTHING_TO_RUN)
  await tick(withCap(context, 0))
  expect(await msToNextLook(context), 'no pass is due without a free slot').toBe(context.options.sweepMs)
  await tick(context)
  expect(await msToNextLook(context)).toBe(250)
  await tick(context)
  expect(await msToNextLook(context)).toBe(context.options.sweepMs)
})

test('a card that waited only for a free slot is tried again', async () => {
  const board = await openDispatch()
  await board.create(100, NOTHING_TO_RUN)
  await board.pass(1_000)
  const [first, second] = (await board.create(2)).toSorted()
  await board.pass(1_000)
  await board.create(1_200, NOTHING_TO_RUN)
  expect((await tickOnce(withCap(board.context, 1))).started).toMatchObject([{ id: first }])
  expect((await tickOnce(withCap(board.context, 2))).started).toMatchObject([{ id: second }])
})

test('unassigned cards are assigned before they are claimed', async () => {
  const board = await openDispatch()
  const decide = decideAsPerson(board)
  await decide('set_board', { settings: { defaultAssignee: 'shell' } })
  await decide('pause', { kind: 'agent', name: 'shell', reason: 'for lunch' })
  const cards = Array.from({ length: 40 }, () => ({ id: newTaskId(), title: 'Unassigned', body: 'true' }))
  await decide('create', { cards })
  const counting = countingClaims(board.store)
  const report = await tick({ ...board.context, store: counting.store })
  expect(report.autoAssigned).toHaveLength(32)
  expect(counting.claims()).toBe(1)
})

test('a review card with an open parent, or a card being swept, is not claimed', async () => {
  const board = await openDispatch()
  const decide = decideAsPerson(board)
  addAgents(board, 'critic')
  const [parent] = (await board.create(1, NOTHING_TO_RUN)) as [TaskId]
  const [reviewed, swept] = (await board.create(2)) as [TaskId, TaskId]
  await decide('request_review', { task: reviewed, runId: newRunId(), reviewer: 'critic' })
  await decide('link', { parent, child: reviewed })
  await board.raw(`update task set workspace_state = 'sweeping' where id = '${swept}'`)
  const counting = countingClaims(board.store)
  const report = await tick({ ...board.context, store: counting.store })
  expect(counting.claims()).toBe(0)
  expect(report.deferred).toEqual(
    expect.arrayContaining([
      { id: reviewed, reason: expect.objectContaining({ code: 'parents_open' }) },
      { id: swept, reason: expect.objectContaining({ code: 'workspace_sweeping' }) },
    ]),
  )
})

test('a pass reads a paused lane only once', async () => {
  const board = await openDispatch()
  await board.create(300)
  await decideAsPerson(board)('pause', { kind: 'agent', name: 'shell', reason: 'for lunch' })
  let reads = 0
  const laneHead: Store['laneHead'] = (...lane) => {
    reads += 1
    return board.store.laneHead(...lane)
  }
  for (let pass = 0; pass < 3; pass += 1) await tick({ ...board.context, store: storeWith(board.store, { laneHead }) })
  expect(reads).toBe(3)
  expect(await msToNextLook(board.context)).toBe(board.context.options.sweepMs)
})
