import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ClientError, createClient } from '../../src/client/index.ts'
import type { Client } from '../../src/client/index.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'

interface ClientTest extends HttpTest {
  readonly client: Client
}

async function openClient(scope: 'read' | 'operate' | 'admin' = 'admin'): Promise<ClientTest> {
  const http = await openHttp()
  const token = await http.tokenFor(scope)
  return { ...http, client: createClient({ url: http.parts.place.url, token, fetch: http.fetch }) }
}

const failureOf = (promise: Promise<unknown>): Promise<ClientError> =>
  promise.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: unknown) => {
      if (error instanceof ClientError) return error
      throw error
    },
  )

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('the client creates, reads, changes and deletes a card', async () => {
  const { client } = await openClient()
  const { task } = await client.create({ title: 'Paint the fence', labels: ['garden'] })
  expect(await client.show({ task: task.id })).toMatchObject({ title: 'Paint the fence', comments: [] })
  expect(await client.edit({ task: task.id, priority: 5 })).toMatchObject({ priority: 5 })
  expect(await client.list({ text: 'fence', statuses: ['ready', 'todo'] })).toMatchObject([{ id: task.id }])
  await client.delete({ task: task.id })
  expect(await client.list()).toEqual([])
})

test('null and list values in a query reach the operation', async () => {
  const { client } = await openClient()
  await client.create({ title: 'Open', assignee: null })
  await client.create({ title: 'Taken', assignee: 'coder' })
  expect(await client.list({ assignees: [null, 'coder'] })).toHaveLength(2)
  expect(await client.list({ assignees: [null] })).toMatchObject([{ title: 'Open' }])
})

test('a refusal becomes an error with its code, message and details', async () => {
  const { client } = await openClient()
  expect(await failureOf(client.show({ task: 't_0000000000' }))).toMatchObject({
    code: 'task_not_found',
    message: 'There is no card t_0000000000.',
    details: { id: 't_0000000000' },
    status: 404,
    retryable: false,
  })
})

test('a path parameter cannot lead to another path', async () => {
  const { client } = await openClient()
  expect(await failureOf(client.show({ task: '..' }))).toMatchObject({ code: 'invalid_input' })
  expect(await failureOf(client.show({ task: '../boards' }))).toMatchObject({ code: 'task_not_found' })
})

test('a call on several cards returns a result for each card', async () => {
  const { client } = await openClient()
  const { task } = await client.create({ title: 'One' })
  const results = await client.many.archive({ tasks: [task.id, 't_0000000000'] })
  expect(results).toMatchObject([
    { id: task.id, ok: true, task: { status: 'archived' } },
    { id: 't_0000000000', ok: false, error: { code: 'task_not_found' } },
  ])
})

test('the pages of a list contain every card once', async () => {
  const { client } = await openClient()
  await client.createEach({ titles: Array.from({ length: 7 }, (_, at) => `Card ${at}`) })
  const sizes: number[] = []
  const ids = new Set<string>()
  for await (const page of client.pages.list({ limit: 3 })) {
    sizes.push(page.length)
    for (const { id } of page) ids.add(id)
  }
  expect(sizes).toEqual([3, 3, 1])
  expect(ids.size).toBe(7)
})

test('an uploaded file is downloaded unchanged', async () => {
  const { client } = await openClient()
  const { task } = await client.create({ title: 'Read the plan' })
  const content = new TextEncoder().encode('first\nsecond\n')
  const file = await client.attach({ task: task.id, name: 'plan.txt', content, contentType: 'text/plain' })
  expect(file).toMatchObject({ filename: 'plan.txt', size: content.length })
  expect(await (await client.download({ task: task.id, file: file.id })).text()).toBe('first\nsecond\n')
  const part = await client.download({ task: task.id, file: 'plan.txt', range: [6, 12] })
  expect(await part.text()).toBe('second')
  expect((await client.downloadLink({ task: task.id, file: file.id })).url).toContain('signature=')
})

test('a stream yields its values and ends with its run', async () => {
  const { client } = await openClient()
  const { task } = await client.create({ title: 'One' })
  const kinds: string[] = []
  for await (const event of client.tail({ task: task.id })) kinds.push(event.kind)
  expect(kinds).toEqual(['created'])
})

test('a token without the scope gets the error of the server', async () => {
  const { client } = await openClient('read')
  expect(await failureOf(client.create({ title: 'No' }))).toMatchObject({
    code: 'not_allowed',
    details: { needs: 'operate', has: 'read' },
  })
})

test('a browser signs in with a code and sends the secret of its session', async () => {
  const { parts, fetch } = await openHttp()
  const jar = { cookie: '', secret: null as string | null }
  const withCookie = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), ...(jar.cookie && { cookie: jar.cookie }) }
    const response = await fetch(url, { ...init, headers })
    jar.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? jar.cookie
    return response
  }
  const client = createClient({ url: parts.place.url, secret: () => jar.secret, fetch: withCookie })
  jar.secret = (await client.signIn(new URL(parts.links.newLink(parts.place)).hash.slice(1))).secret
  expect(await client.session()).toMatchObject({ kind: 'session', scope: 'admin' })
  expect(await client.boardsList()).toHaveLength(1)
  await client.signOut()
  expect(await failureOf(client.session())).toMatchObject({ code: 'sign_in_required' })
})

test('a server that does not answer gives one error with the reason', async () => {
  const client = createClient({ url: `http://127.0.0.1:${await closedPort()}` })
  expect(await failureOf(client.list())).toMatchObject({
    code: 'server_unreachable',
    retryable: true,
    details: { reason: 'ECONNREFUSED' },
  })
})

test.each([
  ['text/html', '<h1>hello</h1>'],
  ['application/json', '[{"id":'],
])('a response from another program is reported as not from Muster: %s %s', async (type, text) => {
  const fetch = async (): Promise<Response> => new Response(text, { headers: { 'content-type': type } })
  const client = createClient({ url: 'http://127.0.0.1:8080', fetch })
  expect(await failureOf(client.list())).toMatchObject({ code: 'server_unsuitable' })
})

test('a stream with lines that are not JSON gives a clear error', async () => {
  const fetch = async (): Promise<Response> => new Response('{"kind":\n')
  const client = createClient({ url: 'http://127.0.0.1:8080', fetch })
  expect(await failureOf(client.tail({ task: 't_0123456789' }).next())).toMatchObject({ code: 'server_unsuitable' })
})
