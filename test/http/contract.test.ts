/** Tests every route of the table with a request that succeeds, or is refused for a stated reason. */
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/index.ts'
import { scopeNeeded } from '../../src/operations/shared/access.ts'
import { pathOfMany } from '../../src/http/routes/mount.ts'
import { ROUTES } from '../../src/http/routes/table.ts'
import type { Route } from '../../src/http/routes/table.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest, Reply } from '../helpers/http.ts'
import { openDocumentSchemas } from './document-schemas.ts'
import { EXAMPLES } from './examples.ts'
import type { Example } from './examples.ts'

const document = openDocumentSchemas()

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

type Make = (http: HttpTest, card: string) => Promise<string>

const create =
  (title: string, more: object = {}): Make =>
  async ({ ask }) => {
    const { task } = (await ask('POST /api/tasks', { body: { title, ...more } })).json<{ task: { id: string } }>()
    return task.id
  }

const createThen =
  (title: string, verb: string, body: object = {}): Make =>
  async (http) => {
    const id = await create(title)(http, '')
    expect((await http.ask(`POST /api/tasks/${id}/${verb}`, { body })).status).toBe(200)
    return id
  }

const ROBOT = { name: 'robot', harness: 'command', args: ['true'] }

/** The functions that create the card, file, agent, board or view for a parameter. They return its id. */
const MAKE: Readonly<Record<string, Make>> = {
  $idea: create('An idea', { triage: true }),
  $held: create('A held card', { held: true }),
  $question: createThen('A question', 'block', { reason: 'Which color?', kind: 'needs_input' }),
  $done: createThen('A finished card', 'complete', { summary: 'Done' }),
  $review: createThen('A card in review', 'request-review', { summary: 'Look' }),
  $claimed: createThen('A claimed card', 'claim'),
  $archived: createThen('An archived card', 'archive'),
  $deleted: createThen('A deleted card', 'delete'),
  spare: async ({ ask }) => {
    expect((await ask('POST /api/boards', { body: { slug: 'spare' } })).status).toBe(201)
    return 'spare'
  },
  urgent: async ({ ask }) => {
    expect((await ask('PUT /api/views/urgent', { body: { query: 'label=urgent' } })).status).toBe(200)
    return 'urgent'
  },
  $series: async ({ ask }) =>
    (await ask('POST /api/series', { body: { schedule: 'daily 9:00', title: 'Report' } })).json<{ id: string }>().id,
  $swarm: async ({ ask }) => {
    const body = { goal: 'A goal', workers: [{ agent: 'coder' }], verifier: 'coder', synthesizer: 'coder' }
    return (await ask('POST /api/swarms', { body })).json<{ rootId: string }>().rootId
  },
  $child: (http, card) => create('A child', { parents: [card] })(http, card),
  $file: async ({ ask }, card) =>
    (await ask(`POST /api/tasks/${card}/attachments?name=a.txt`, { body: 'x' })).json<{ id: string }>().id,
  $robot: async ({ ask }) => {
    expect((await ask('POST /api/agents', { body: ROBOT })).status).toBe(201)
    return ROBOT.name
  },
}

/** Creates a card and everything that the parameters of an example name. Returns their ids. */
async function makeCards(http: HttpTest, { params = {} }: Example): Promise<Record<string, string>> {
  const card = await create('A card', { assignee: 'coder' })(http, '')
  const made: Record<string, string> = { $card: card }
  for (const name of Object.values(params)) {
    const make = MAKE[name]
    if (make !== undefined) made[name] = await make(http, card)
  }
  return made
}

function requestOf({ method, path }: Route, example: Example, made: Readonly<Record<string, string>>): string {
  const { params = {}, query } = example
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '$card'
    return made[value] ?? value
  })
  return `${method.toUpperCase()} ${filled}${query === undefined ? '' : `?${query}`}`
}

const examplesOf = (wanted: (example: Example) => boolean) =>
  ROUTES.flatMap((route) => {
    const example = EXAMPLES[nameOf(route)] ?? {}
    return wanted(example) ? [[nameOf(route), route, example] as const] : []
  })

async function send(route: Route, example: Example): Promise<Reply> {
  const http = await openHttp()
  const { body } = example
  return http.ask(requestOf(route, example, await makeCards(http, example)), body === undefined ? {} : { body })
}

test.each(examplesOf(({ refusal }) => refusal === undefined))(
  'the route %s answers with the output of its operation',
  async (_, route, example) => {
    const reply = await send(route, example)
    expect([reply.status, reply.text]).toEqual([route.status ?? 200, expect.any(String)])
    const isStream = OPERATIONS[route.operation].kind === 'stream'
    const lines = isStream ? reply.text.split('\n').filter((line) => line !== '') : [reply.text]
    const at = { ...route, status: reply.status, type: isStream ? 'application/x-ndjson' : 'application/json' }
    const { responseFaults } = await document
    for (const line of lines) expect(responseFaults(at, JSON.parse(line))).toEqual([])
  },
)

test.each(examplesOf(({ refusal }) => refusal !== undefined))(
  'the route %s answers a refusal with the error code',
  async (_, route, example) => {
    const reply = await send(route, example)
    expect(reply.json()).toMatchObject({ status: reply.status, code: example.refusal })
    expect((await document).problemFaults(reply.json())).toEqual([])
  },
)

test('every example belongs to a route', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(ROUTES.map(nameOf).toSorted())
})

test.each(ROUTES.filter(({ many }) => many === true).map((route) => [pathOfMany(route), route] as const))(
  'POST %s answers with a result for each card',
  async (path, route) => {
    const http = await openHttp()
    const example = EXAMPLES[nameOf(route)] ?? {}
    const made = await makeCards(http, example)
    const { body = {}, params, refusal } = example
    const id = made[params?.['task'] ?? '$card'] ?? ''
    const tasks = [id, 't_0000000000']
    const { onlyForOne = [] } = route
    const ofOne = Object.keys(body).filter((field) => onlyForOne.includes(field))
    for (const field of ofOne)
      expect((await http.ask(`POST ${path}`, { body: { [field]: body[field], tasks } })).json()).toMatchObject({
        code: 'invalid_input',
        detail: `${field} is for one card: send a request for each card.`,
      })
    const shared = Object.fromEntries(Object.entries(body).filter(([field]) => !ofOne.includes(field)))
    const reply = await http.ask(`POST ${path}`, { body: { ...shared, tasks } })
    expect(reply.status).toBe(200)
    const first = refusal === undefined ? { id, ok: true } : { id, ok: false, error: { code: refusal } }
    expect((await document).responseFaults({ method: 'post', path, status: 200 }, reply.json())).toEqual([])
    expect(reply.json()).toMatchObject([first, { id: 't_0000000000', ok: false, error: { code: 'task_not_found' } }])
  },
)

/** Calls `check` with every route in one test, because opening a server takes longer than these requests. */
const everyRoute = async (check: (http: HttpTest, route: Route) => Promise<unknown>): Promise<readonly unknown[]> => {
  const http = await openHttp()
  const faults: unknown[] = []
  for (const route of ROUTES) faults.push(await check(http, route))
  return faults.filter((fault) => fault !== null)
}

test('every route refuses a token whose scope is too small, before it reads the request', async () => {
  const tokens = new Map<string, string>()
  const faults = await everyRoute(async (http, route) => {
    const needs = scopeNeeded(OPERATIONS[route.operation])
    if (needs === 'read') return null
    const scope = needs === 'admin' ? 'operate' : 'read'
    const token = tokens.get(scope) ?? (await http.tokenFor(scope))
    tokens.set(scope, token)
    const reply = await http.ask(requestOf(route, {}, {}), { token, body: undefined })
    const { code, details } = reply.json()
    const isRefused = reply.status === 403 && code === 'not_allowed' && (details as { needs?: string }).needs === needs
    return isRefused ? null : [nameOf(route), reply.text]
  })
  expect(faults).toEqual([])
})

test('every route refuses an unknown field and names the field', async () => {
  const { problemFaults } = await document
  const faults = await everyRoute(async (http, route) => {
    const { query = '', body = {}, ...example } = EXAMPLES[nameOf(route)] ?? {}
    const isRead = route.method === 'get' || route.method === 'delete'
    const request = requestOf(route, { ...example, ...(isRead && { query: `${query}&nonsense=1` }) }, {})
    const reply = await http.ask(request, isRead ? {} : { body: { ...body, nonsense: 1 } })
    const isRefused =
      reply.status === 400 && problemFaults(reply.json()).length === 0 && reply.text.includes('nonsense')
    return isRefused ? null : [nameOf(route), reply.text]
  })
  expect(faults).toEqual([])
})
