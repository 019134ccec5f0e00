// Tests the tools over HTTP, called by the official client in each revision of the protocol.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskId } from '../../src/core/ids.ts'
import type { TokenScope } from '../../src/core/token.ts'
import { TOOLSET } from '../../src/mcp/toolset.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { person } from '../helpers/sample.ts'
import { Desk } from '../storage/desk.ts'

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const
type Revision = (typeof REVISIONS)[number]

const STATELESS: Revision = '2026-07-28'
const TOOLS = Object.keys(TOOLSET)

type Answer = Readonly<Record<string, unknown>>

async function connect(
  http: HttpTest,
  revision: Revision,
  { scope = 'operate', query = '' }: { scope?: TokenScope; query?: string } = {},
) {
  const token = await http.tokenFor(scope)
  const transport = new StreamableHTTPClientTransport(new URL(`${http.parts.place.url}/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: http.fetch,
  })
  const client = new Client(
    { name: 'an assistant', version: '1.0.0' },
    revision === STATELESS
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  )
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: given })
    const [first] = content
    return isError === true ? { error: first?.type === 'text' ? first.text : '' } : (structuredContent as Answer)
  }
  return { client, call }
}

const saying = (words: string): unknown => expect.stringContaining(words)

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  test('an MCP client lists the tools of an assistant, and creates and reads a card', async () => {
    const http = await openHttp()
    const { client, call } = await connect(http, revision)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'muster', version: '1.2.3' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['kanban_create', 'kanban_unblock']))
    const { id } = await call('kanban_create', { title: 'From afar' })
    expect(await call('kanban_show', { task: id })).toMatchObject({ title: 'From afar' })
    expect(await call('kanban_list')).toMatchObject({ tasks: [{ id }] })
    expect(await http.test.store.task('default', id as TaskId)).toMatchObject({
      createdBy: 'agent:assistant of robot-operate',
    })
  })

  test('an MCP client reads resources and prompts', async () => {
    const http = await openHttp()
    const { client, call } = await connect(http, revision)
    const { id } = await call('kanban_create', { title: 'Read me' })
    const { contents } = await client.readResource({ uri: `muster://briefing/${String(id)}` })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: saying('Read me') }])
    const { prompts } = await client.listPrompts()
    expect(prompts.length).toBeGreaterThan(0)
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
  })

  test('calling an unknown tool is a protocol error, and a refused call is a tool result', async () => {
    const http = await openHttp()
    const { client, call } = await connect(http, revision)
    await expect(client.callTool({ name: 'kanban_approve', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
    expect(await call('kanban_show', { task: 't_0000000000' })).toEqual({ error: saying('task_not_found') })
  })
})

describe.each(['read', 'operate', 'admin'] as const)('an assistant with a token of scope %s', (scope) => {
  test('an assistant cannot approve the commands of a card, not even its own', async () => {
    const http = await openHttp()
    const { call } = await connect(http, STATELESS, { scope })
    const writer = await connect(http, STATELESS)
    const { id } = await writer.call('kanban_create', { title: 'Run it', assignee: 'shell', body: 'true' })
    const isApproved = async () => (await http.test.store.task('default', id as TaskId))?.commandsApproved
    expect(await isApproved()).toBe(false)
    for (const tool of TOOLS) await call(tool, { task: id, approve: true, commandsApproved: true }).catch(() => null)
    expect(await isApproved()).toBe(false)
  })

  test('an assistant cannot continue or finish a card that failed too often', async () => {
    const http = await openHttp()
    const desk = new Desk(http.test, 'default')
    await desk.ok('set_board', { settings: { retryBaseMs: 0, failureLimit: 1 } })
    await desk.lead()
    const id = await desk.card('a')
    await desk.settle(await desk.run(id), { ending: { how: 'exited', exitCode: 1 } })
    const { call } = await connect(http, STATELESS, { scope })
    for (const tool of ['kanban_unblock', 'kanban_complete', 'kanban_request_review'])
      expect(await call(tool, { task: id, summary: 'Done.' })).toHaveProperty('error')
    expect(await desk.task(id)).toMatchObject({ status: 'blocked', breakerOpen: true })
  })
})

test('an assistant with a read token can list and read cards, and changes nothing', async () => {
  const http = await openHttp()
  const { call } = await connect(http, STATELESS, { scope: 'read' })
  expect(await call('kanban_list')).toMatchObject({ tasks: [] })
  expect(await call('kanban_create', { title: 'No' })).toEqual({ error: saying('needs a token with scope operate') })
  expect(await call('kanban_list')).toMatchObject({ tasks: [] })
})

test('an assistant cannot attach a file by a path on the server', async () => {
  const http = await openHttp()
  const { call } = await connect(http, STATELESS, { scope: 'admin' })
  const { id } = await call('kanban_create', { title: 'A card' })
  const path = '/etc/passwd'
  for (const [tool, given] of [
    ['kanban_attach', { path }],
    ['kanban_complete', { summary: 'Done.', artifacts: [path] }],
    ['kanban_complete', { summary: 'Done.', metadata: { artifacts: [path] } }],
  ] as const)
    expect(await call(tool, { task: id, ...given })).toEqual({ error: saying('not_supported') })
  expect(await http.test.store.attachments('default', id as TaskId)).toEqual([])
})

test('the tools reach only the board in the address', async () => {
  const http = await openHttp()
  await http.test.store.decide({ verb: 'create_board', board: 'side', actor: person, input: { slug: 'side' } })
  const [main, side] = [await connect(http, STATELESS), await connect(http, STATELESS, { query: '?board=side' })]
  const { id } = await side.call('kanban_create', { title: 'On the side' })
  expect(await side.call('kanban_list')).toMatchObject({ tasks: [{ id }] })
  expect(await main.call('kanban_list')).toMatchObject({ tasks: [] })
  expect(await main.call('kanban_comment', { task: id, body: 'Hello.' })).toEqual({ error: saying('task_not_found') })
  const { status } = await http.ask('POST /mcp?board=nowhere', { body: {} })
  expect(status).toBe(404)
})

test('a request without a token, or from another origin or to another host, is refused', async () => {
  const { ask } = await openHttp()
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect(await ask('POST /mcp', { token: null, body })).toMatchObject({ status: 401 })
  expect(await ask('POST /mcp', { headers: { origin: 'http://evil.example' }, body })).toMatchObject({ status: 403 })
  expect(await ask('POST /mcp', { headers: { host: 'evil.example' }, body })).toMatchObject({ status: 403 })
  const opened = await ask('GET /mcp')
  expect([opened.status, opened.headers.get('allow')]).toEqual([405, 'POST'])
  const headers = { 'content-type': 'application/json' }
  expect(await ask('POST /mcp', { headers, body: `"${'x'.repeat(9 * 1024 * 1024)}"` })).toMatchObject({ status: 413 })
})
