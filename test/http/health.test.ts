import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import type { HealthReport } from '../../src/operations/machine/views.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { clockwork, identity } from '../helpers/sample.ts'

test('the health routes are open and name no card, board or user', async () => {
  const { ask } = await openHttp()
  await ask('POST /api/tasks', { body: { title: 'A secret title' } })
  for (const path of ['/healthz', '/readyz']) {
    const { text } = await ask(`GET ${path}`, { token: null })
    expect(text).not.toMatch(/secret|default|ada|t_/)
  }
})

test('the server is ready only while a dispatcher starts cards', async () => {
  const { ask, test: opened } = await openHttp()
  const absent = await ask('GET /readyz', { token: null })
  expect([absent.status, absent.json()]).toEqual([503, { status: 'degraded', store: 'ok', dispatcher: 'absent' }])
  const own = identity()
  const input = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 60_000 }
  unwrap(await opened.store.decide({ verb: 'lead_dispatch', board: 'default', actor: clockwork, input }))
  const ready = await ask('GET /readyz', { token: null })
  expect([ready.status, ready.json()]).toEqual([200, { status: 'ok', store: 'ok', dispatcher: 'active' }])
})

async function lead({ test: { store } }: HttpTest, more: object = {}): Promise<void> {
  const own = identity()
  const input = { machine: own.machine, tokenHash: 'lead', identity: own, leaseMs: 3_600_000, ...more }
  unwrap(await store.decide({ verb: 'lead_dispatch', board: 'default', actor: clockwork, input }))
}

const pass = (more: object = {}) => ({ tookMs: 5, everyMs: 5_000, started: 0, waiting: [], agoMs: 0, ...more })

test('a dispatcher that stopped looking for cards is reported as stalled', async () => {
  const http = await openHttp()
  const waiting = [{ code: 'account_paused', count: 2 }]
  await lead(http, { pass: pass({ waiting }) })
  const health = (await http.ask('GET /api/health')).json<HealthReport>()
  expect(health).toMatchObject({
    status: 'ok',
    problems: [],
    server: { version: expect.any(String), home: http.parts.target.options.home, store: { engine: 'sqlite' } },
    dispatchers: [{ state: 'active', lastPass: { waiting } }],
  })
  await http.test.pass(60_000)
  await lead(http)
  expect((await http.ask('GET /api/health')).json()).toMatchObject({
    status: 'degraded',
    problems: [{ code: 'dispatcher_stalled' }],
    dispatchers: [{ state: 'stalled', lastPass: { waiting } }],
  })
  expect((await http.ask('GET /readyz', { token: null })).json()).toMatchObject({ dispatcher: 'stalled' })
  await lead(http, { pass: pass() })
  expect((await http.ask('GET /readyz', { token: null })).status).toBe(200)
})

test('`GET /api/health` counts why ready cards wait, and names overdue cards', async () => {
  const http = await openHttp()
  const { ask, test: opened } = http
  await ask('POST /api/agents', { body: { name: 'robot', harness: 'command', args: ['/bin/true'] } })
  const titles = ['One', 'Two']
  await ask('POST /api/tasks/batch', { body: { titles, assignee: 'nowhere' } })
  await ask('POST /api/tasks', { body: { title: 'Held', assignee: 'robot', held: true } })
  const body = { title: 'Free', body: 'Do it', assignee: 'robot' }
  const { task } = (await ask('POST /api/tasks', { body })).json<{ task: { id: string } }>()
  const before = (await ask('GET /api/health')).json<HealthReport>()
  expect(before.problems.map(({ code }) => code)).toEqual(['dispatcher_absent'])
  await opened.pass(120_000)
  await lead(http, { pass: pass() })
  const { status, problems, ready } = (await ask('GET /api/health')).json<HealthReport>()
  expect([status, problems.map(({ code }) => code)]).toEqual(['degraded', ['cards_late']])
  expect(ready).toMatchObject({ count: 4, examined: 4, late: { count: 1, first: { id: task.id } } })
  expect(ready.reasons).toEqual([
    expect.objectContaining({ code: 'agent_unknown', count: 2 }),
    expect.objectContaining({ code: 'held', count: 1 }),
  ])
})

test('`GET /api/health` needs a token with scope read', async () => {
  const { ask, tokenFor } = await openHttp()
  expect((await ask('GET /api/health', { token: null })).status).toBe(401)
  expect((await ask('GET /api/health', { token: await tokenFor('read') })).status).toBe(200)
})
