// A person farms out twelve independent cards to three agents. Stories: docs/contributing/scenarios.md.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { DispatchReport } from '../../src/operations/machine/views.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { finishRun, playRun, writePlayedAgents } from '../helpers/played-agent.ts'
import { untilStatus } from '../helpers/run-cards.ts'
import { serve } from '../helpers/served-home.ts'
import type { ServedHome } from '../helpers/served-home.ts'

/** Fewer than the cards, so that a machine of two cores runs this story. */
const MACHINE_CAP = 5

const home = makeTestHome('sqlite', afterAll)
let board: ServedHome
const ids: Record<string, TaskId> = {}
const own = (name: string): TaskId => ids[name] ?? expect.unreachable(`there is no card ${name}`)

const WORK = { Translate: 'translator', Transcribe: 'transcriber', Describe: 'copywriter' } as const
const COUNTS = { Translate: 3, Transcribe: 5, Describe: 4 } as const
const TITLES = Object.keys(WORK) as readonly (keyof typeof WORK)[]

const list = (query: string) => board.read<readonly TaskView[]>(`/api/tasks?limit=50&${query}`)
const runningOf = async (agent: string): Promise<readonly TaskId[]> =>
  (await list(`status=running&assignee=${agent}`)).map(({ id }) => id)
/** Waits until an agent runs a card, and returns the card. */
const nextOf = (agent: string): Promise<TaskId> =>
  home.until(`${agent} runs a card`, async () => (await runningOf(agent))[0] ?? null)
const finish = async (id: TaskId): Promise<void> => {
  await finishRun(await playRun(home, id), { summary: 'Delivered.' })
  await untilStatus(home, id, 'done')
}

beforeAll(async () => {
  await home.runInline('init')
  writePlayedAgents(home, ...Object.values(WORK))
  await home.setBoard({ maxPerAgent: 1 })
  await home.create('Pay the invoices', '--tenant', 'finance')
  board = await serve(home, { MUSTER_MACHINE_CAP: String(MACHINE_CAP) })
  // The cards exist before the first one starts, so that their order decides.
  await board.send('POST /api/pauses', { kind: 'board', name: 'default' })
  for (const title of TITLES)
    for (let nth = 1; nth <= COUNTS[title]; nth += 1) {
      const card = { title: `${title} ${nth}`, assignee: WORK[title], tenant: 'content-ops' }
      const priority = card.title === 'Transcribe 4' ? 2 : 0
      const { status, body } = await board.send('POST /api/tasks', { ...card, priority })
      expect(status).toBe(201)
      ids[card.title] = (body as { readonly task: TaskView }).task.id
    }
})

test('a limit of one card per agent starts one card of each agent', async () => {
  expect((await list('tenant=content-ops')).map(({ status }) => status)).toEqual(Array(12).fill('ready'))
  await board.send('DELETE /api/pauses/board/default')
  expect(await nextOf('translator')).toBe(own('Translate 1'))
  expect(await nextOf('transcriber')).toBe(own('Transcribe 4'))
  expect(await nextOf('copywriter')).toBe(own('Describe 1'))
  const preview = await board.read<DispatchReport>('/api/dispatch')
  expect(preview.started).toEqual([])
  const waiting = await list('status=ready&tenant=content-ops')
  expect(waiting).toHaveLength(9)
  for (const { consecutiveFailures } of waiting) expect(consecutiveFailures).toBe(0)
  for (const { limit, cap } of preview.capped) expect([limit, cap]).toEqual([1, 'agent'])
  const more = preview.more.reduce((sum, { count }) => sum + count, 0)
  expect(preview.capped.length + more).toBe(9)
})

test('a worker can comment on the card of another worker but not complete it', async () => {
  const run = await playRun(home, own('Transcribe 4'))
  const other = own('Transcribe 1')
  expect(await run.ask('complete', { task: other, summary: 'done for you' })).toMatchObject({
    error: { code: 'not_allowed' },
  })
  await board.expectCard(other, { status: 'ready', runs: [] })
  expect(await run.ask('comment', { task: other, body: 'The speaker is Ada.' })).toHaveProperty('output')
  await board.expectCard(other, { comments: [{ author: 'agent:transcriber', body: 'The speaker is Ada.' }] })
})

test('when a card is done, only the next card of its agent starts', async () => {
  await finish(own('Transcribe 4'))
  expect(await nextOf('transcriber')).toBe(own('Transcribe 1'))
  expect(await runningOf('translator')).toEqual([own('Translate 1')])
  expect(await runningOf('copywriter')).toEqual([own('Describe 1')])
})

test('several cards are completed together only without a shared summary', async () => {
  const cards = [2, 3, 4].map((nth) => own(`Describe ${nth}`))
  expect((await home.runInline('complete', ...cards, '--summary', 'All described.')).stderr).toContain('for one card')
  expect(await board.send('POST /api/tasks/complete', { tasks: cards, summary: 'All described.' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  })
  for (const id of cards) await board.expectCard(id, { status: 'ready' })
  const { status, body } = await board.send('POST /api/tasks/complete', { tasks: cards, result: 'described' })
  expect([status, body]).toMatchObject([200, cards.map((id) => ({ id, ok: true, task: { status: 'done' } }))])
})

test('searches and tenants show the same cards on every surface', async () => {
  const found = await list('text=transcribe')
  expect(found.map(({ title }) => title).toSorted()).toEqual([1, 2, 3, 4, 5].map((nth) => `Transcribe ${nth}`))
  const searched = await board.json<readonly TaskView[]>('list', '--all', '--text', 'transcribe')
  expect(searched.map(({ id }) => id).toSorted()).toEqual(found.map(({ id }) => id).toSorted())
  const ofTenant = await board.json<readonly TaskView[]>('list', '--all', '--tenant', 'content-ops')
  expect(ofTenant).toHaveLength(12)
  expect(ofTenant.some(({ title }) => title === 'Pay the invoices')).toBe(false)
})

test('without the limit, the other cards run once each within the machine cap', async () => {
  await board.send('PATCH /api/boards/default', { settings: { maxPerAgent: null } })
  await home.until('the machine is full', async () => (await list('status=running')).length === MACHINE_CAP)
  const folders = new Set<string>()
  for (let left = await list('tenant=content-ops'); left.some(({ status }) => status !== 'done');) {
    const running = left.filter(({ status }) => status === 'running')
    expect(running.length).toBeLessThanOrEqual(MACHINE_CAP)
    for (const { id } of running) {
      const run = await playRun(home, id)
      folders.add(run.environment['MUSTER_WORKSPACE'] ?? '')
      await finishRun(run, { summary: 'Delivered.' })
      await untilStatus(home, id, 'done')
    }
    left = await home.until('another card runs, or all are done', async () => {
      const now = await list('tenant=content-ops')
      return now.some(({ status }) => status === 'running') || now.every(({ status }) => status === 'done') ? now : null
    })
  }
  // Two of twelve cards ran before, and three were completed by a person.
  expect(folders.size).toBe(8)
  for (const id of Object.values(ids)) {
    const { runs } = await home.show(id)
    expect(runs.filter(({ kind }) => kind === 'agent').length).toBeLessThanOrEqual(1)
  }
})

test('the totals agree on the command line and over HTTP', async () => {
  const [mine, served] = [await board.json<object>('stats'), await board.read<object>('/api/stats')]
  expect(mine).toMatchObject({ byStatus: { done: 12 } })
  expect(served).toMatchObject({ byStatus: { done: 12 } })
  const columns = await board.read<{ readonly columns: readonly { status: string; count: number }[] }>('/api/board')
  expect(columns.columns.find(({ status }) => status === 'done')?.count).toBe(12)
})
