/** Makes the app of the HTTP server on a store of its own. Tests call the app without a port. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { loadOptions } from '../../src/config/load.ts'
import { unwrap } from '../../src/core/command.ts'
import type { TokenScope } from '../../src/core/token.ts'
import { makeApp } from '../../src/http/app.ts'
import { BodyBudget } from '../../src/http/body-budget.ts'
import type { HttpParts } from '../../src/http/parts.ts'
import { placeOf } from '../../src/http/place.ts'
import { Attempts } from '../../src/http/sign-in/attempts.ts'
import { Links } from '../../src/http/sign-in/links.ts'
import { OpenStreams } from '../../src/http/sign-in/open-streams.ts'
import type { Site } from '../../src/http/site/read-site.ts'
import { makeToolsPort } from '../../src/mcp/tools-port.ts'
import { createToken } from '../../src/operations/tokens/create-token.ts'
import { newToken } from '../../src/util/mint.ts'
import { person } from './sample.ts'
import { openTestStore, testFolder } from './stores.ts'
import type { TestStore } from './stores.ts'

const PORT = 6878

export interface Ask {
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: <T = Record<string, unknown>>() => T
}

export interface HttpTest {
  readonly test: TestStore
  readonly parts: HttpParts
  /** The clock by which one-time links expire. */
  readonly clock: { now: number }
  /** A token with this scope. */
  readonly tokenFor: (scope: TokenScope, expiresAt?: number) => Promise<string>
  /** Sends a request, such as `ask('GET /api/tasks')`. By default, the token has the scope `admin`. */
  readonly ask: (request: string, how?: Ask) => Promise<Reply>
  /** Sends a request unchanged, for clients that have their own `fetch`. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
}

const fileOf = (type: string, text: string, isHashed = false) => ({
  type,
  etag: `"${text.length}"`,
  isHashed,
  body: Buffer.from(text),
  gzip: Buffer.from(`gzip of ${text}`),
  brotli: Buffer.from(`br of ${text}`),
})

/** A dashboard of two files. */
const sampleSite: Site = new Map([
  ['/index.html', fileOf('text/html; charset=utf-8', '<p>The dashboard</p>')],
  ['/assets/main-1a2b.js', fileOf('text/javascript; charset=utf-8', 'start()', true)],
])

export async function openHttp({ host = '127.0.0.1', tls = false, site = sampleSite } = {}): Promise<HttpTest> {
  const test = await openTestStore('sqlite')
  const { store } = test
  const home = testFolder()
  mkdirSync(join(home, 'agents'))
  const place = test.location.engine === 'sqlite' ? test.location.path : ''
  const options = await loadOptions({
    MUSTER_HOME: home,
    MUSTER_STORE: place,
    MUSTER_USER: 'ada',
    MUSTER_INTENT_WAIT_MS: '50',
  })
  unwrap(await store.decide({ verb: 'create_board', board: 'default', actor: person, input: { slug: 'default' } }))
  const key = newToken()
  const clock = { now: 0 }
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const parts: HttpParts = {
    target: {
      store,
      options,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      version: '1.2.3',
      dispatcher: () => Promise.reject(new Error('this test has no dispatcher')),
      tools: async () => makeToolsPort('1.2.3'),
    },
    place: placeOf({ scheme: tls ? 'https' : 'http', host, port: PORT }),
    links: new Links(key, () => clock.now),
    attempts: new Attempts(),
    bodies: new BodyBudget(),
    streams: new OpenStreams(store),
    site,
    key,
    usedAt: new Map(),
    stopping: stop.signal,
  }
  const app = makeApp(parts)
  const tokenFor: HttpTest['tokenFor'] = async (scope, expiresAt) => {
    const context = { store, board: 'default', actor: person, options }
    return (await createToken.run(context, { name: `robot-${scope}`, scope, expiresAt: expiresAt ?? null })).token
  }
  const admin = await tokenFor('admin')
  const ask: HttpTest['ask'] = async (request, { token = admin, body, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const response = await app.request(`${parts.place.url}${path}`, {
      method,
      headers: {
        host: new URL(parts.place.url).host,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: <T>() => JSON.parse(text) as T }
  }
  const fetch: HttpTest['fetch'] = async (url, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('host', new URL(url).host)
    return app.request(String(url), { ...init, headers })
  }
  return { test, parts, clock, tokenFor, ask, fetch }
}
