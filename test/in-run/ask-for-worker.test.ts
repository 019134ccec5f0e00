import { linkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { hashToken } from '../../src/util/mint.ts'
import { askForWorker } from '../../src/in-run/ask-for-worker.ts'
import { runDirectoryAt } from '../../src/workers/run-directory.ts'
import type { Owned } from '../../src/workers/supervisor/owned.ts'
import { card, clockwork, identity, person, runOf } from '../helpers/sample.ts'
import { openTestStore, testFolder } from '../helpers/stores.ts'

const id = card('a')
const foreign = card('b')
const elsewhere = card('c')
const fence = { runId: runOf('a'), tokenHash: hashToken('token') }

/** Nobody runs checks here. */
const NO_CHECKS = { judge: async () => ({ kind: 'overtaken' }) as const, stop: async () => {} }

const decideAs = (store: Store) => {
  const address = { board: 'main', actor: person } as const
  return {
    address,
    create: async (board: string, task: typeof id, more: object = {}) =>
      unwrap(
        await store.decide({
          ...address,
          board,
          verb: 'create',
          input: { cards: [{ id: task, title: `Card ${task}`, assignee: 'shell', body: 'true', ...more }] },
        }),
      ),
  }
}

/** A board with a running card, a card of somebody else's, and one on another board. */
async function running(more: object = {}): Promise<{ store: Store; database: string; ask: Ask; settle: Settle }> {
  const { store, location } = await openTestStore('sqlite')
  const { address, create } = decideAs(store)
  for (const slug of ['main', 'other'])
    unwrap(await store.decide({ ...address, board: slug, verb: 'create_board', input: { slug } }))
  await create('main', id, more)
  await create('main', foreign)
  await create('other', elsewhere)
  const own = identity()
  const lead = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'lead_dispatch', input: lead }))
  const claim = { machine: own.machine, dispatcher: own, dispatcherTokenHash: 'lead', agent: 'shell' }
  unwrap(await store.decide({ ...address, actor: clockwork, verb: 'claim', input: { task: id, ...fence, ...claim } }))
  const database = location.engine === 'sqlite' ? location.path : ''
  const ticket = { home: testFolder(), store: database, board: 'main', task: id, agent: 'shell', tools: [] }
  const run = { phase: 'work' }
  const owned = { store, ticket, run, fence, directory: runDirectoryAt(testFolder()) } as unknown as Owned
  const ask: Ask = (op, input) =>
    askForWorker({ owned, examiner: NO_CHECKS }, op, input) as Promise<TaskView & { recorded?: string }>
  const settle: Settle = async (exitCode) => {
    const ending = { how: 'exited', exitCode } as const
    const input = { task: id, runId: fence.runId, by: { fence }, ending, completesOnExit: true }
    unwrap(await store.decide({ ...address, actor: clockwork, verb: 'settle', input }))
    return store.task('main', id)
  }
  return { store, database, ask, settle }
}

type Ask = (op: string, input: unknown) => Promise<TaskView & { recorded?: string }>
type Settle = (exitCode: number) => Promise<TaskView | null>

test('complete on its own card is recorded, and counts when the run ends, whatever its exit status', async () => {
  const { store, ask, settle } = await running()
  const answer = await ask('complete', { task: id, summary: 'all green', metadata: { tests: 3 } })
  expect(answer).toMatchObject({ id, status: 'running' })
  expect(answer.recorded).toBe(`Recorded complete for ${id}: the card is settled when this run ends.`)
  expect(await settle(1)).toMatchObject({ status: 'done', metadata: { tests: 3 } })
  expect(await store.run(fence.runId)).toMatchObject({ outcome: 'completed', summary: 'all green', exitCode: 1 })
})

test('block on its own card beats a clean exit, and the beginning of its id is enough', async () => {
  const { store, ask, settle } = await running()
  await ask('block', { task: id.slice(0, 12).toUpperCase(), reason: 'which colour?', kind: 'needs_input' })
  expect(await store.task('main', id)).toMatchObject({ status: 'running' })
  expect(await settle(0)).toMatchObject({ status: 'blocked', blockReason: 'which colour?', blockedBy: 'agent:shell' })
})

test('a block may follow a complete, but nothing else takes a word back', async () => {
  const { ask, settle } = await running()
  await ask('complete', { task: id })
  await expect(ask('request-review', { task: id })).rejects.toMatchObject({ code: 'verdict_pending' })
  await ask('block', { task: id, reason: 'on second thoughts' })
  expect(await settle(0)).toMatchObject({ status: 'blocked' })
})

test('a review is asked for in a work run; changes only in a review run', async () => {
  const { ask, settle } = await running()
  await expect(ask('request-changes', { task: id, reason: 'x' })).rejects.toMatchObject({ code: 'not_in_review' })
  await ask('request-review', { task: id, summary: 'please look', reviewer: 'critic' })
  expect(await settle(0)).toMatchObject({ status: 'review', reviewer: 'critic' })
})

test('without a word a clean exit completes, as before', async () => {
  const { settle } = await running()
  expect(await settle(0)).toMatchObject({ status: 'done' })
})

test('a card with checks is not done because its worker says so, and no worker skips them', async () => {
  const { ask, settle } = await running({ checks: ['npm test'] })
  await expect(ask('complete', { task: id, force: 'trust me' })).rejects.toMatchObject({ code: 'not_allowed' })
  await ask('complete', { task: id, summary: 'done' })
  expect(await settle(0)).toMatchObject({ status: 'ready', consecutiveFailures: 1 })
})

test('a heartbeat on its own card leaves a note', async () => {
  const { store, ask } = await running()
  expect(await ask('heartbeat', { task: id, note: 'half way' })).toMatchObject({ id, status: 'running' })
  expect(await store.run(fence.runId)).toMatchObject({ note: 'half way' })
})

test('a run that is over has no say, and what it says late is kept', async () => {
  const { store, ask, settle } = await running()
  await settle(0)
  await expect(ask('block', { task: id, reason: 'late' })).rejects.toMatchObject({ code: 'run_superseded' })
  await expect(ask('heartbeat', { task: id })).rejects.toMatchObject({ code: 'run_superseded' })
  expect(await store.task('main', id)).toMatchObject({ status: 'done' })
  const kinds = (await store.taskEvents('main', id)).map(({ kind }) => kind)
  expect(kinds).toContain('late_result')
})

test('a run that is over writes nothing more, to no card, and its words are kept', async () => {
  const { store, ask, settle } = await running()
  await settle(0)
  for (const [op, input] of [
    ['comment', { task: foreign, body: 'late' }],
    ['create', { title: 'late' }],
  ] as const)
    await expect(ask(op, input)).rejects.toMatchObject({ code: 'run_superseded' })
  expect(await store.comments('main', foreign)).toEqual([])
  expect(await store.tasks('main')).toHaveLength(2)
  const late = (await store.taskEvents('main', id)).filter(({ kind }) => kind === 'late_result')
  expect(late.map(({ data }) => data['verb'])).toEqual(['comment', 'create'])
  expect(await ask('show', { task: foreign })).toMatchObject({ id: foreign })
})

test('the card of somebody else can be read and commented on, and nothing more (scenario 78)', async () => {
  const { store, ask } = await running()
  expect(await ask('show', { task: foreign })).toMatchObject({ id: foreign })
  expect(await ask('comment', { task: foreign, body: 'seen' })).toMatchObject({
    author: 'agent:shell',
    runId: fence.runId,
  })
  const refusals: [string, object][] = [
    ['complete', {}],
    ['block', { reason: 'no' }],
    ['archive', {}],
    ['delete', {}],
    ['edit', { title: 'mine' }],
  ]
  for (const [op, more] of refusals)
    await expect(ask(op, { task: foreign, ...more })).rejects.toMatchObject({ code: 'not_allowed' })
  for (const op of ['unblock', 'approve', 'reclaim', 'claim', 'request-changes', 'init', 'doctor', 'dispatch'])
    await expect(ask(op, { task: foreign, reason: 'x' })).rejects.toMatchObject({ code: 'not_allowed' })
  expect(await store.task('main', foreign)).toMatchObject({ status: 'ready', title: `Card ${foreign}` })
})

test('its own card is not its own to throw away while it runs', async () => {
  const { ask } = await running()
  for (const op of ['archive', 'delete', 'schedule'])
    await expect(ask(op, { task: id })).rejects.toMatchObject({ code: 'not_allowed' })
})

test('a card it creates is on its board, in its name, and its commands wait for a person', async () => {
  const { store, ask } = await running()
  const wish = { title: 'next', body: 'rm -rf build', assignee: 'shell' }
  const { task } = (await ask('create', wish)) as unknown as { task: TaskView }
  expect(task).toMatchObject({ board: 'main', createdBy: 'agent:shell', commandsApproved: false })
  expect(await ask('complete', { task: task.id, summary: 'not needed' })).toMatchObject({ status: 'done' })
  expect(await store.task('main', task.id)).toMatchObject({ createdByRun: fence.runId })
})

test('cards of other boards are not there', async () => {
  const { store, ask } = await running()
  for (const [op, more] of [
    ['show', {}],
    ['comment', { body: 'hello' }],
    ['complete', {}],
  ] as const)
    await expect(ask(op, { task: elsewhere, ...more })).rejects.toMatchObject({ code: 'task_not_found' })
  await expect(ask('create', { title: 'x', parents: [elsewhere] })).rejects.toMatchObject({ code: 'task_not_found' })
  expect(await store.comments('other', elsewhere)).toEqual([])
  expect((await ask('list', {})) as unknown as TaskView[]).toHaveLength(2)
})

test('what is asked is checked as everywhere, and what nobody knows is said', async () => {
  const { ask } = await running()
  await expect(ask('block', { task: id })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('block', { task: id, reason: 'a\0b' })).rejects.toMatchObject({ code: 'bad_text' })
  await expect(ask('show', null)).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ask('create', { title: 'x', commandsApproved: true })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'create knows no commandsApproved: leave it out.',
  })
  expect(await ask('show', { task: id, later: null })).toMatchObject({ id })
  await expect(ask('fly', {})).rejects.toMatchObject({ code: 'not_supported' })
})

test('a file is named and read by the supervisor, but neither what has no end nor the board itself', async () => {
  const { store, database, ask } = await running()
  const folder = testFolder()
  const file = join(folder, 'report.txt')
  writeFileSync(file, 'text')
  const attach = (path: unknown, task = id) => ask('attach', { task, name: 'report.txt', path })
  expect(await attach(file)).toMatchObject({ filename: 'report.txt', size: 4, uploadedBy: 'agent:shell' })
  await expect(attach(file, foreign)).rejects.toMatchObject({ code: 'not_allowed' })
  for (const path of ['/dev/zero', folder, join(folder, 'nothing'), 'report.txt', 7, undefined])
    await expect(attach(path)).rejects.toMatchObject({ code: 'invalid_input' })
  linkSync(database, join(folder, 'innocent'))
  for (const path of [database, `${database}-wal`, join(folder, 'innocent')])
    await expect(attach(path)).rejects.toMatchObject({ code: 'not_allowed' })
  expect(await store.attachments('main', id)).toHaveLength(1)
})

test('artifacts are on the card as soon as its worker has said complete', async () => {
  const { store, ask, settle } = await running()
  const file = join(testFolder(), 'report.txt')
  writeFileSync(file, 'text')
  await ask('complete', { task: id, summary: 'see the report', artifacts: [file] })
  expect(await store.attachments('main', id)).toMatchObject([{ filename: 'report.txt', runId: fence.runId }])
  expect(await settle(0)).toMatchObject({ status: 'done', metadata: { artifacts: ['report.txt'] } })
})

test('artifacts named again by the same run are attached once; what was changed meanwhile is another file', async () => {
  const { store, ask, settle } = await running()
  const folder = testFolder()
  const file = join(folder, 'report.txt')
  writeFileSync(file, 'text')
  const complete = () => ask('complete', { task: id, summary: 'see the report', artifacts: [file] })
  const names = async () => (await store.attachments('main', id)).map(({ filename }) => filename)
  await complete()
  await complete()
  expect(await names()).toEqual(['report.txt'])
  writeFileSync(file, 'better text')
  await complete()
  await complete()
  expect(await names()).toEqual(['report.txt', 'report (1).txt'])
  expect(await settle(0)).toMatchObject({ metadata: { artifacts: ['report (1).txt'] } })
})
