import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { MINUTE } from '../helpers/sample.ts'

async function openCard({ ask }: HttpTest): Promise<string> {
  return (await ask('POST /api/tasks', { body: { title: 'A card' } })).json<{ task: { id: string } }>().task.id
}

const streamPaths = (card: string): readonly string[] => ['/api/events', `/api/tasks/${card}/events?follow=true`]

const follow = ({ fetch, parts }: HttpTest, path: string, token: string): Promise<Response> =>
  fetch(`${parts.place.url}${path}`, { headers: { authorization: `Bearer ${token}` } })

test('a HEAD request opens no stream', async () => {
  const http = await openHttp()
  for (const path of streamPaths(await openCard(http))) {
    const { status, headers } = await http.ask(`HEAD ${path}`)
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET'])
  }
  expect(http.parts.streams.count).toBe(0)
})

test('streams end when their token is revoked, and other streams continue', async () => {
  const http = await openHttp()
  const card = await openCard(http)
  const [revoked, valid] = [await http.tokenFor('read'), await http.tokenFor('operate')]
  const [feed, lines] = await Promise.all(streamPaths(card).map((path) => follow(http, path, revoked)))
  const other = await follow(http, '/api/events', valid)
  expect((await http.ask('DELETE /api/tokens/robot-read')).status).toBe(200)
  await http.parts.streams.endRevoked()
  expect(await feed?.text()).toContain('hello')
  await expect(lines?.text()).rejects.toThrow('the stream was cut off')
  expect(http.parts.streams.count).toBe(1)
  await other.body?.cancel()
  expect(http.parts.streams.count).toBe(0)
})

test('streams end when their token expires', async () => {
  const http = await openHttp()
  const token = await http.tokenFor('read', (await http.test.store.now()) + MINUTE)
  const stream = await follow(http, '/api/events', token)
  await http.test.pass(2 * MINUTE)
  await http.parts.streams.endRevoked()
  expect(await stream.text()).toContain('hello')
})

test('a stream that cannot be opened is not counted', async () => {
  const http = await openHttp()
  expect((await http.ask('GET /api/events?kinds=nothing')).status).toBe(400)
  expect((await http.ask('GET /api/tasks/t_0000000000/events?follow=true')).status).toBe(404)
  expect(http.parts.streams.count).toBe(0)
})

test('a ticket is not valid after its token is revoked', async () => {
  const http = await openHttp()
  const token = await http.tokenFor('read')
  const { ticket } = (await http.ask('POST /api/events/tickets', { token })).json<{ ticket: string }>()
  await http.ask('DELETE /api/tokens/robot-read')
  expect((await http.ask(`GET /api/events?ticket=${ticket}`, { token: null })).status).toBe(401)
})
