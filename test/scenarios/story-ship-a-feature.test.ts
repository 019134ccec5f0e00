// A person ships a feature in three cards that wait for each other. Stories: docs/contributing/scenarios.md.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { Run } from '../../src/core/run.ts'
import type { TaskView } from '../../src/storage/store.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { finishRun, playRun, writePlayedAgents } from '../helpers/played-agent.ts'
import type { PlayedRun } from '../helpers/played-agent.ts'
import { untilStatus } from '../helpers/run-cards.ts'
import { serve } from '../helpers/served-home.ts'
import type { ServedHome } from '../helpers/served-home.ts'

const home = makeTestHome('sqlite', afterAll)
let board: ServedHome
let [schema, api, tests]: TaskId[] = []
let first: PlayedRun

const HAND_OVER = {
  summary: 'One table for users, one for sessions.',
  metadata: {
    changed_files: ['db/users.sql', 'db/sessions.sql'],
    decisions: ['uuid keys', 'no soft delete', 'argon2'],
  },
}
const statuses = async () =>
  (await board.read<readonly TaskView[]>('/api/tasks?tenant=auth-project&sort=created')).map(({ status }) => status)

beforeAll(async () => {
  await home.runInline('init')
  writePlayedAgents(home, 'backend-dev', 'qa-dev')
})

test('the cards of a chain are created in order and wait for each other', async () => {
  const create = async (title: string, ...flags: string[]): Promise<TaskView> => {
    const { code, stdout } = await home.muster('create', title, '--tenant', 'auth-project', ...flags, '--json')
    expect(code).toBe(0)
    return JSON.parse(stdout) as TaskView
  }
  const body = 'Tables for users and sessions.'
  const made = await create('Design auth schema', '--assignee', 'backend-dev', '--priority', '2', '--body', body)
  expect(made).toMatchObject({ id: expect.stringMatching(/^t_[0-9a-z]{10}$/), status: 'ready', priority: 2 })
  schema = made.id
  const second = await create('Implement auth API endpoints', '--assignee', 'backend-dev', '--parent', schema)
  api = second.id
  const third = await create('Write auth integration tests', '--assignee', 'qa-dev', '--parent', api)
  tests = third.id
  expect([second, third].map(({ status, parents }) => ({ status, parents }))).toEqual([
    { status: 'todo', parents: [schema] },
    { status: 'todo', parents: [api] },
  ])
})

test('only the first card starts, and its briefing is its own', async () => {
  board = await serve(home)
  first = await playRun(home, schema as TaskId)
  expect(await statuses()).toEqual(['running', 'todo', 'todo'])
  expect(first.environment).toMatchObject({
    MUSTER_TASK: schema,
    MUSTER_RUN: first.id,
    MUSTER_BOARD: 'default',
    MUSTER_AGENT: 'backend-dev',
    MUSTER_TENANT: 'auth-project',
    MUSTER_WORKSPACE: home.workspace(schema as TaskId, '').replace(/\/$/, ''),
    MUSTER_PARENTS: '[]',
  })
  expect(Object.keys(first.environment)).not.toContain('MUSTER_STORE')
  expect(first.briefing).toMatch(/You are backend-dev\.[^]*Design auth schema[^]*Tables for users and sessions\./)
  expect(await first.ask('show')).toMatchObject({ output: { id: schema, status: 'running', children: [api] } })
  const { runs } = await board.expectCard(schema as TaskId, {
    status: 'running',
    currentRunId: first.id,
    runs: [{ id: first.id, attempt: 1, agent: 'backend-dev', outcome: null }],
  })
  expect(runs).toHaveLength(1)
})

test('a heartbeat is recorded with its note', async () => {
  expect(await first.ask('heartbeat', { note: 'half way' })).toMatchObject({ output: { id: schema } })
  const { events } = await board.expectCard(schema as TaskId, { runs: [{ note: 'half way' }] })
  expect(events.findLast(({ kind }) => kind === 'heartbeat')?.data).toMatchObject({ note: 'half way' })
})

test('only the next card gets the result of a completed card', async () => {
  await finishRun(first, HAND_OVER)
  const second = await playRun(home, api as TaskId)
  await board.expectCard(schema as TaskId, {
    status: 'done',
    currentRunId: null,
    runs: [{ outcome: 'completed', agent: 'backend-dev', ...HAND_OVER }],
  })
  expect(await statuses()).toEqual(['done', 'running', 'todo'])
  expect(second.briefing).toContain(HAND_OVER.summary)
  expect(second.briefing).toContain('argon2')
  expect(JSON.parse(second.environment['MUSTER_PARENTS'] ?? '')).toMatchObject([
    { id: schema, title: 'Design auth schema', summary: HAND_OVER.summary },
  ])
  const [run, ...more] = await board.json<readonly Run[]>('runs', schema as TaskId)
  expect(more).toEqual([])
  expect(run).toMatchObject({ outcome: 'completed', agent: 'backend-dev', summary: HAND_OVER.summary })
  expect(run?.endedAt ?? 0).toBeGreaterThanOrEqual(run?.startedAt ?? Infinity)
  expect(await board.read(`/api/tasks/${schema}/runs`)).toMatchObject([{ id: run?.id, summary: HAND_OVER.summary }])
  await finishRun(second, { summary: 'Endpoints for sign-in and sign-out.' })
})

test('a command of an ended run changes nothing and is recorded', async () => {
  const { status, result, runs } = await home.show(schema as TaskId)
  const late = await home.start(['complete', schema as TaskId, '--summary', 'again', '--json'], {
    env: { ...first.environment, ...first.variables },
  }).ended
  expect([late.code, JSON.parse(late.stdout)]).toMatchObject([4, [{ ok: false, error: { code: 'run_over' } }]])
  // The supervisor is gone, so the next pass of the dispatcher records what the command left behind.
  const kept = await home.until('the content is in the history', async () => {
    const { events } = await home.show(schema as TaskId)
    return events.find(({ kind }) => kind === 'late_result') ?? null
  })
  expect(kept.data).toMatchObject({ verb: 'complete', content: { summary: 'again' } })
  await board.expectCard(schema as TaskId, { status, result, runs })
})

test('the whole chain is done after its last card', async () => {
  const last = await playRun(home, tests as TaskId)
  expect(last.environment['MUSTER_AGENT']).toBe('qa-dev')
  expect(last.briefing).toContain('Endpoints for sign-in and sign-out.')
  await finishRun(last, { summary: 'Twelve tests.' })
  await untilStatus(home, tests as TaskId, 'done')
  expect(await statuses()).toEqual(['done', 'done', 'done'])
})
