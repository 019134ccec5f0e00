/** Every route of the table, with a request that succeeds or is refused for a stated reason. */
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/index.ts'
import { pathOfMany } from '../../src/http/routes/mount.ts'
import { ROUTES } from '../../src/http/routes/table.ts'
import type { Route } from '../../src/http/routes/table.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest, Reply } from '../helpers/http.ts'
import { EXAMPLES } from './examples.ts'
import type { Example } from './examples.ts'

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

type Make = (http: HttpTest) => Promise<string>

const create =
  (title: string, more: object = {}): Make =>
  async ({ ask }) => {
    const { task } = (await ask('POST /api/tasks', { body: { title, ...more } })).json<{ task: { id: string } }>()
    return task.id
  }

const createThen =
  (title: string, verb: string, body: object = {}): Make =>
  async (http) => {
    const id = await create(title)(http)
    expect((await http.ask(`POST /api/tasks/${id}/${verb}`, { body })).status).toBe(200)
    return id
  }

/** Creates the card or board of a parameter, and returns its id. */
const MAKE: Readonly<Record<string, Make>> = {
  $held: create('A held card', { held: true }),
  $question: createThen('A question', 'block', { reason: 'Which color?', kind: 'needs_input' }),
  $done: createThen('A finished card', 'complete', { summary: 'Done' }),
  $archived: createThen('An archived card', 'archive'),
  $deleted: createThen('A deleted card', 'delete'),
  spare: async ({ ask }) => {
    expect((await ask('POST /api/boards', { body: { slug: 'spare' } })).status).toBe(201)
    return 'spare'
  },
}

/** Creates a card and everything that the parameters of an example name. Returns their ids. */
async function makeCards(http: HttpTest, { params = {} }: Example): Promise<Record<string, string>> {
  const card = await create('A card', { assignee: 'coder' })(http)
  const made: Record<string, string> = { $card: card }
  for (const name of Object.values(params)) {
    const make = name === '$child' ? create('A child', { parents: [card] }) : MAKE[name]
    if (make !== undefined) made[name] = await make(http)
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
  '%s answers with the output of its operation',
  async (_, route, example) => {
    const reply = await send(route, example)
    expect([reply.status, reply.text]).toEqual([route.status ?? 200, expect.any(String)])
    const operation = OPERATIONS[route.operation]
    const { output } = await operation.schemas()
    const lines = operation.kind === 'stream' ? reply.text.split('\n').filter((line) => line !== '') : [reply.text]
    for (const line of lines) expect(output.safeParse(JSON.parse(line)).error?.issues ?? []).toEqual([])
  },
)

test.each(examplesOf(({ refusal }) => refusal !== undefined))(
  '%s answers a refusal with its code',
  async (_, route, example) => {
    const reply = await send(route, example)
    expect(reply.json()).toMatchObject({ status: reply.status, code: example.refusal })
  },
)

test('every example belongs to a route', () => {
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(ROUTES.map(nameOf).toSorted())
})

test.each(ROUTES.filter(({ many }) => many === true).map((route) => [pathOfMany(route), route] as const))(
  'POST %s answers a result for each card',
  async (path, route) => {
    const http = await openHttp()
    const example = EXAMPLES[nameOf(route)] ?? {}
    const made = await makeCards(http, example)
    const { body = {}, params, refusal } = example
    const id = made[params?.['task'] ?? '$card'] ?? ''
    const reply = await http.ask(`POST ${path}`, { body: { ...body, tasks: [id, 't_0000000000'] } })
    expect(reply.status).toBe(200)
    const first = refusal === undefined ? { id, ok: true } : { id, ok: false, error: { code: refusal } }
    expect(reply.json()).toMatchObject([first, { id: 't_0000000000', ok: false, error: { code: 'task_not_found' } }])
  },
)
