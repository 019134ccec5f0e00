import { expect, test } from 'vitest'
import { openHttp } from '../helpers/http.ts'
import type { Ask } from '../helpers/http.ts'

const own = 'localhost:6878'

interface Attack extends Ask {
  readonly request?: string
  readonly status: number
  /** The modes in which the request is not an attack. */
  readonly harmless?: readonly Mode['mode'][]
}

interface Mode {
  readonly mode: 'on loopback' | 'for other machines'
  readonly host: string
  readonly tls: boolean
}

const MODES: readonly Mode[] = [
  { mode: 'on loopback', host: '127.0.0.1', tls: false },
  { mode: 'for other machines', host: '0.0.0.0', tls: true },
]

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Each attack with the answer that it must get. By default, the request asks for the cards with a valid token. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  'no credential': { token: null, status: 401 },
  'a wrong token': { token: `muster_${'x'.repeat(43)}`, status: 401 },
  'a token of a megabyte': { token: 'x'.repeat(1_000_000), status: 401 },
  'a token with other characters': { headers: { authorization: 'Bearer ../../etc/passwd' }, token: null, status: 401 },
  'another authentication scheme': { headers: { authorization: 'Basic YWRhOnNlY3JldA==' }, token: null, status: 401 },
  'a rebound DNS name': { headers: { host: 'evil.example:6878' }, status: 403 },
  // A server for other machines may have any address, so this request is harmless there.
  'an address of another machine': {
    headers: { host: '10.0.0.7:6878' },
    status: 403,
    harmless: ['for other machines'],
  },
  'a Host header with a path': { headers: { host: `${own}/x` }, status: 403 },
  'a Host header with a user': { headers: { host: `${own}@evil.example` }, status: 403 },
  'a foreign Origin': { headers: { origin: 'https://evil.example' }, status: 403 },
  'an Origin on another port of this machine': { headers: { origin: 'http://127.0.0.1:5173' }, status: 403 },
  'an Origin with another scheme': {
    headers: { host: own, origin: `https://${own}` },
    status: 403,
    harmless: ['for other machines'],
  },
  'an Origin without TLS': {
    headers: { host: own, origin: `http://${own}` },
    status: 403,
    harmless: ['on loopback'],
  },
  'the Origin of a sandboxed page': { headers: { origin: 'null' }, status: 403 },
  'a cross-site request without Origin': { headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  'a request from another port of this machine': { headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  'a cross-site form': {
    request: 'POST /api/tasks',
    headers: {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'title=x',
    status: 403,
  },
  'a body that is not JSON': {
    request: 'POST /api/tasks',
    headers: { 'content-type': 'text/plain' },
    body: '{"title":"x"}',
    status: 415,
  },
  'JSON of 10 MB': { request: 'POST /api/tasks', body: { title: 'x', body: 'x'.repeat(10_000_000) }, status: 413 },
  'JSON of 2 MB for a small command': {
    request: 'POST /api/tasks/t_0000000000/hold',
    body: { reason: 'x'.repeat(2_000_000) },
    status: 413,
  },
  'deep JSON': {
    request: 'POST /api/tasks',
    headers: { 'content-type': 'application/json' },
    body: `{"title":"x","checks":${deep(100_000)}}`,
    status: 400,
  },
  'JSON that is cut off': {
    request: 'POST /api/tasks',
    headers: { 'content-type': 'application/json' },
    body: '{"title":',
    status: 400,
  },
  'a field that replaces the prototype': {
    request: 'POST /api/tasks',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"x","__proto__":{"held":true}}',
    status: 400,
  },
  'a path outside the server': { request: 'GET /api/tasks/..%2f..%2fetc%2fpasswd', status: 404 },
  'a NUL in a path': { request: 'GET /api/tasks/t_%00', status: 404 },
  'a board that is a path': { request: 'GET /api/tasks?board=../default', status: 400 },
  'a line break in a header of the answer': { request: 'GET /api/tasks?limit=1&x=%0d%0aset-cookie:a=b', status: 400 },
  'a route that does not exist': { request: 'GET /api/nothing', status: 404 },
  'a route that does not exist, without a credential': { request: 'GET /api/nothing', token: null, status: 401 },
  'a method that the route does not have': { request: 'PUT /api/tasks', body: {}, status: 405 },
}

const CASES = MODES.flatMap((mode) =>
  Object.entries(ATTACKS)
    .filter(([, { harmless = [] }]) => !harmless.includes(mode.mode))
    .map(([name, attack]) => [name, mode.mode, { ...mode, ...attack }] as const),
)

test.each(CASES)('the server answers %s with an error, %s', async (_, __, { host, tls, status, request, ...how }) => {
  const http = await openHttp({ host, tls })
  const reply = await http.ask(request ?? 'GET /api/tasks', how)
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  expect(reply.json()).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) })
  expect(reply.headers.get('set-cookie')).toBeNull()
  expect(await http.test.store.tasks('default')).toEqual([])
})

test('a server for other machines accepts every IP address, but no foreign host name', async () => {
  const { ask } = await openHttp({ host: '0.0.0.0', tls: true })
  const as = async (host: string) => (await ask('GET /api/tasks', { headers: { host } })).status
  expect(await as('192.168.1.5:6878')).toBe(200)
  expect(await as('[fe80::1]:6878')).toBe(200)
  expect(await as('evil.example:6878')).toBe(403)
})

test('each scope allows only its own operations', async () => {
  const { ask, tokenFor } = await openHttp()
  const [read, operate] = [await tokenFor('read'), await tokenFor('operate')]
  const status = async (token: string, request: string, body?: unknown) => (await ask(request, { token, body })).status
  expect(await status(read, 'GET /api/tasks')).toBe(200)
  expect(await status(read, 'POST /api/tasks', { title: 'x' })).toBe(403)
  expect(await status(operate, 'POST /api/tasks', { title: 'x' })).toBe(201)
  expect(await status(operate, 'POST /api/boards', { slug: 'site' })).toBe(403)
  expect(await status(operate, 'GET /api/tokens')).toBe(403)
  expect(await status(operate, 'POST /api/tokens', { name: 'x', scope: 'admin' })).toBe(403)
  expect((await ask('POST /api/tasks', { token: read, body: { title: 'x' } })).json()).toMatchObject({
    code: 'not_allowed',
    details: { needs: 'operate', has: 'read' },
  })
})

test('every answer has the security headers and allows no other origin', async () => {
  const { ask } = await openHttp()
  for (const [request, how] of [
    ['GET /api/tasks', {}],
    ['GET /api/tasks', { token: null }],
    ['GET /api/tasks', { headers: { host: 'evil.example' } }],
    ['GET /sign-in', { token: null }],
    ['GET /healthz', { token: null }],
  ] as const) {
    const { headers } = await ask(request, how)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test.each(['/', '/sign-in'])('the page %s has no inline script', async (path) => {
  const { ask } = await openHttp()
  const { text, status } = await ask(`GET ${path}`, { token: null })
  expect(status).toBe(200)
  expect(text).not.toMatch(/<script(?![^>]*src=)/)
  expect(text).not.toMatch(/ on\w+=/)
})
