import { expect, test } from 'vitest'
import { unwrap } from '../../src/core/command.ts'
import { openHttp } from '../helpers/http.ts'
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

test('the metrics need a token and count the cards of each board', async () => {
  const { ask, tokenFor } = await openHttp()
  await ask('POST /api/tasks', { body: { title: 'A card' } })
  expect((await ask('GET /metrics', { token: null })).status).toBe(401)
  const { text } = await ask('GET /metrics', { token: await tokenFor('read') })
  expect(text).toContain('muster_cards{board="default",status="ready"} 1\n')
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  // Every line is a comment or a sample.
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? -?[\d.e+-]+)$/)
})

test('the metrics count the open streams of the feed', async () => {
  const { ask, fetch, parts, tokenFor } = await openHttp()
  const clients = async () => /^muster_feed_clients (\d+)$/m.exec((await ask('GET /metrics')).text)?.[1]
  expect(await clients()).toBe('0')
  const headers = { authorization: `Bearer ${await tokenFor('read')}` }
  const { body } = await fetch(`${parts.place.url}/api/events`, { headers })
  expect(await clients()).toBe('1')
  await body?.cancel()
  expect(await clients()).toBe('0')
})
