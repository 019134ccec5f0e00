import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../../src/core/command.ts'
import { PLANS_PER_HOUR, PLAN_ATTEMPTS } from '../../../src/core/planning.ts'
import type { TaskId } from '../../../src/core/ids.ts'
import { planNext, startAutoPlanner } from '../../../src/planning/auto/auto-planner.ts'
import type { AutoPlannerContext } from '../../../src/planning/auto/auto-planner.ts'
import { newTaskId } from '../../../src/util/mint.ts'
import { person } from '../../helpers/sample.ts'
import { chooseModel, useScriptedModel } from '../../helpers/scripted-model.ts'
import type { ScriptedModel, ScriptedReply } from '../../helpers/scripted-model.ts'
import { openTestStore, testFolder } from '../../helpers/stores.ts'
import type { TestStore } from '../../helpers/stores.ts'

const MINUTE = 60_000
const stop = new AbortController().signal

interface Board {
  readonly test: TestStore
  readonly context: AutoPlannerContext
  readonly notices: string[]
  readonly model: ScriptedModel
  create(title: string, more?: object): Promise<TaskId>
}

/** Makes a board with `autoDecompose`, and a model that answers each card with the given reply. */
async function openBoard(reply: (input: string) => ScriptedReply): Promise<Board> {
  const test = await openTestStore('sqlite')
  const { store } = test
  const home = join(testFolder(), 'home')
  mkdirSync(home)
  const model = await useScriptedModel((request) => reply(request.messages[1]?.content ?? ''))
  chooseModel(home, model)
  const settings = { autoDecompose: true }
  unwrap(await store.decide({ verb: 'create_board', board: 'main', actor: person, input: { slug: 'main' } }))
  unwrap(await store.decide({ verb: 'set_board', board: 'main', actor: person, input: { settings } }))
  const notices: string[] = []
  const onNotice = (text: string): void => void notices.push(text)
  return {
    test,
    notices,
    model,
    context: { store, home, env: {}, onlyBoard: null, onNotice },
    create: async (title, more = {}) => {
      const id = newTaskId()
      const input = { cards: [{ id, title, triage: true, ...more }] }
      unwrap(await store.decide({ verb: 'create', board: 'main', actor: person, input }))
      return id
    },
  }
}

const card = (key: string) => ({ key, title: key, body: '', assignee: null, checks: [], after: [] })
const SPLIT: ScriptedReply = { json: { rationale: 'parts', split: true, cards: [card('a'), card('b')] } }

/** Makes passes of the planner until no card is due. */
async function planAll({ context }: Board): Promise<void> {
  while (await planNext(context, stop));
}

test('a new card in triage is split by the planner of the board', async () => {
  const board = await openBoard(() => SPLIT)
  const id = await board.create('a shop')
  await planAll(board)
  const root = await board.test.store.task('main', id)
  expect(root).toMatchObject({ status: 'todo', decomposedAt: expect.any(Number) })
  const [first] = await board.test.store.tasks('main', { parent: id })
  expect(first).toBeUndefined()
  expect(root?.parents).toHaveLength(2)
  const events = await board.test.store.taskEvents('main', id)
  expect(events.find(({ kind }) => kind === 'decomposed')).toMatchObject({ actor: 'muster:planner' })
})

test('a card whose planning keeps failing is tried five times and delays no other card (scenario 85)', async () => {
  const board = await openBoard((input) => (input.includes('cursed') ? { text: 'no idea' } : SPLIT))
  const cursed = await board.create('cursed')
  const others: TaskId[] = []
  for (let minute = 0; minute < 24 * 60; minute += 10) {
    if (minute % 240 === 0) others.push(await board.create(`idea ${minute}`))
    await planAll(board)
    await board.test.pass(10 * MINUTE)
  }
  const { store } = board.test
  const asked = board.model.requests.filter(({ messages }) => messages[1]?.content.includes('cursed') === true)
  // Each planning attempt asks twice: the second question asks for a correction.
  expect(asked).toHaveLength(2 * PLAN_ATTEMPTS)
  expect(await store.task('main', cursed)).toMatchObject({
    status: 'triage',
    planAttempts: PLAN_ATTEMPTS,
    planFailure: expect.stringContaining('not valid, twice'),
  })
  const failures = (await store.taskEvents('main', cursed)).filter(({ kind }) => kind === 'plan_failed')
  expect(new Set(failures.map(({ data }) => data['attempt']))).toEqual(new Set([1, 2, 3, 4, 5]))
  for (const id of others) expect((await store.task('main', id))?.status).toBe('todo')
})

test('a board plans at most ten cards in an hour', async () => {
  const board = await openBoard(() => SPLIT)
  for (let at = 0; at < PLANS_PER_HOUR + 2; at += 1) await board.create(`idea ${at}`)
  await planAll(board)
  expect(board.model.requests).toHaveLength(PLANS_PER_HOUR)
  await board.test.pass(60 * MINUTE)
  await planAll(board)
  expect(board.model.requests).toHaveLength(PLANS_PER_HOUR + 2)
})

test('two machines never plan one card at the same time', async () => {
  const board = await openBoard(() => SPLIT)
  for (let at = 0; at < 5; at += 1) await board.create(`idea ${at}`)
  await Promise.all([planAll(board), planAll(board), planAll(board)])
  await planAll(board)
  expect(board.model.requests).toHaveLength(5)
})

test('a planning attempt that was killed is repeated after its lease', async () => {
  const board = await openBoard(() => 'silent')
  const id = await board.create('a shop')
  const killed = new AbortController()
  const planning = planNext(board.context, killed.signal)
  await expect.poll(() => board.model.requests.length).toBe(1)
  killed.abort()
  await planning
  expect(await planNext(board.context, stop)).toBe(false)
  await board.test.pass(31 * MINUTE)
  board.model.script(SPLIT)
  await planAll(board)
  expect(await board.test.store.task('main', id)).toMatchObject({ status: 'todo', planAttempts: 2, planFailure: null })
})

test('without a model, no attempt is counted, and the reason is printed once', async () => {
  const board = await openBoard(() => SPLIT)
  const id = await board.create('a shop')
  const home = join(testFolder(), 'empty')
  mkdirSync(home)
  const planner = await startAutoPlanner({ ...board.context, home })
  await expect.poll(() => board.notices.length).toBe(1)
  await board.create('another')
  await planner.stop()
  expect(board.notices).toEqual([expect.stringContaining('No planner model is set')])
  expect((await board.test.store.task('main', id))?.planAttempts).toBe(0)
})

test('a board without `autoDecompose` plans no cards', async () => {
  const board = await openBoard(() => SPLIT)
  const { store } = board.test
  const settings = { autoDecompose: false }
  unwrap(await store.decide({ verb: 'set_board', board: 'main', actor: person, input: { settings } }))
  await board.create('a shop')
  await planAll(board)
  expect(board.model.requests).toEqual([])
})

test('a running planner plans a card soon after it is created', async () => {
  const board = await openBoard(() => SPLIT)
  const planner = await startAutoPlanner(board.context)
  const id = await board.create('a shop')
  await expect.poll(async () => (await board.test.store.task('main', id))?.status).toBe('todo')
  await planner.stop()
})
