/**
 * Attacks on a listening server over real sockets, on loopback and for other machines. The requests that need no socket
 * are in security.test.ts, and the attacks of a page in a browser in test/e2e/browser.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ServeAddress } from '../../src/operations/machine/server-port.ts'
import { listen } from '../helpers/listening-server.ts'
import type { ListeningServer } from '../helpers/listening-server.ts'

interface Scene {
  readonly server: ListeningServer
  readonly admin: string
  /** Sends a request and returns the status. */
  readonly status: (path: string, init?: RequestInit) => Promise<number>
}

interface Session {
  readonly cookie: string
  readonly secret: string
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

async function signIn({ server }: Scene): Promise<Session> {
  const code = server.makeLink().split('#')[1]
  const reply = await fetch(`${server.url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  return { cookie, secret: ((await reply.json()) as { secret: string }).secret }
}

/** Sends bytes as they are, and returns everything that the server answers until it closes the connection. */
async function sendRaw({ server }: Scene, text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')))
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

const raw = async (scene: Scene, lines: readonly string[], body = ''): Promise<string> =>
  sendRaw(scene, `${[...lines, 'Connection: close', '', body].join('\r\n')}`)

const HOST = 'Host: 127.0.0.1'
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

const PARAMETERS = ['%2e%2e%2f%2e%2e%2fetc%2fpasswd', '..%5c..%5cetc', '%00', '%0d%0aset-cookie:%20a=b', '.', '%2e%2e']
const PATHS = [
  '/api/tasks/*',
  '/api/tasks/*/log',
  '/api/tasks/*/transcript',
  '/api/tasks/*/attachments/*',
  '/api/tasks/*/diff?file=*',
  '/api/boards/*',
  '/api/agents/*',
  '/api/skills/*',
  '/api/why/*',
  '/api/context/*',
  '/api/board/columns/*',
  '/files/*/*',
  '/assets/*',
  '/*',
] as const

/** Each attack returns what went wrong. An empty list means that it was refused, or harmless. */
const ATTACKS: Readonly<Record<string, (scene: Scene) => Promise<readonly string[]>>> = {
  'no token': async ({ status }) => unless(await status('/api/tasks'), 401),
  'a wrong token': async ({ status }) => unless(await status('/api/tasks', { headers: bearer('x'.repeat(43)) }), 401),
  'an expired token': async ({ server, status }) => {
    const token = await server.tokenFor('admin', (await server.test.store.now()) + 1_000)
    const before = await status('/api/tasks', { headers: bearer(token) })
    await server.test.pass(2_000)
    return [...unless(before, 200), ...unless(await status('/api/tasks', { headers: bearer(token) }), 401)]
  },
  'a token of the wrong scope': async ({ server, status }) => {
    const headers = bearer(await server.tokenFor('read'))
    const json = { ...headers, 'content-type': 'application/json' }
    return [
      ...unless(await status('/api/tasks', { method: 'POST', headers: json, body: '{"title":"x"}' }), 403),
      ...unless(await status('/api/tokens', { headers }), 403),
    ]
  },
  'a cookie without its secret': async (scene) => {
    const { cookie } = await signIn(scene)
    return unless(await scene.status('/api/tasks', { headers: { cookie } }), 401)
  },
  'a secret without its cookie': async (scene) => {
    const { secret } = await signIn(scene)
    return unless(await scene.status('/api/tasks', { headers: { 'x-muster-secret': secret } }), 401)
  },
  'a foreign Origin': async ({ status, admin }) =>
    unless(await status('/api/tasks', { headers: { ...bearer(admin), origin: 'http://127.0.0.1:5173' } }), 403),
  'a rebound DNS name': async (scene) =>
    unless(
      statusOf(
        await raw(scene, ['GET /api/tasks HTTP/1.1', 'Host: evil.example', `Authorization: Bearer ${scene.admin}`]),
      ),
      403,
    ),
  'two Host headers': async (scene) =>
    unless(statusOf(await raw(scene, ['GET /api/tasks HTTP/1.1', HOST, 'Host: evil.example'])), 400, 401, 403),
  'a whole address instead of a path': async (scene) =>
    unless(
      statusOf(
        await raw(scene, ['GET http://evil.example/api/tasks HTTP/1.1', HOST, `Authorization: Bearer ${scene.admin}`]),
      ),
      200,
      400,
      403,
    ),
  'a cross-site POST': async ({ status }) =>
    unless(
      await status('/api/tasks', {
        method: 'POST',
        headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
        body: '{"title":"x"}',
      }),
      403,
    ),
  'path traversal in every parameter': async (scene) => {
    const faults: string[] = []
    for (const path of PATHS)
      for (const parameter of PARAMETERS) {
        const asked = path.replaceAll('*', parameter)
        const answer = await raw(scene, [`GET ${asked} HTTP/1.1`, HOST, `Authorization: Bearer ${scene.admin}`])
        const [head = ''] = answer.split('\r\n\r\n')
        // A segment of dots is resolved before the routes, so the address may be that of a list.
        const isRefused = [400, 401, 403, 404, 405].includes(statusOf(answer)) || /\/(\.|%2e%2e)(\?|$|\/)/.test(asked)
        if (!isRefused || /root:|^set-cookie/im.test(`${head}\n${answer}`))
          faults.push(`${asked}: ${head.slice(0, 60)}`)
      }
    return faults
  },
  'a path outside the server': async (scene) => {
    const answer = await raw(scene, ['GET /../../../../etc/passwd HTTP/1.1', HOST])
    return answer.includes('root:') ? ['it read a file'] : unless(statusOf(answer), 400, 404)
  },
  'an SVG with a script': async (scene) => attachment(scene, 'a.svg', 'image/svg+xml'),
  'an HTML page': async (scene) => attachment(scene, 'a.html', 'text/html'),
  'header injection through the name of a file': async (scene) => {
    const { headers } = await upload(scene, 'a%0d%0aset-cookie:%20a=b.txt', 'text/plain')
    return headers === null || headers.get('set-cookie') === null ? [] : ['it set a cookie']
  },
  'header injection through the type of a file': async (scene) => {
    const { id } = await card(scene)
    const answer = await raw(
      scene,
      [
        `POST /api/tasks/${id}/attachments?name=a HTTP/1.1`,
        HOST,
        `Authorization: Bearer ${scene.admin}`,
        'Content-Type: text/html\tx\x0bset-cookie: a=b',
        'Content-Length: 1',
      ],
      'x',
    )
    return unless(statusOf(answer), 201, 400)
  },
  'two lengths of one body': async (scene) =>
    unless(
      statusOf(
        await raw(
          scene,
          [
            'POST /api/tasks HTTP/1.1',
            HOST,
            'Content-Length: 2',
            'Transfer-Encoding: chunked',
            'Content-Type: application/json',
          ],
          '0\r\n\r\nGET /api/tokens HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
        ),
      ),
      400,
    ),
  'a header of 100 KB': async (scene) =>
    unless(statusOf(await raw(scene, ['GET /api/tasks HTTP/1.1', HOST, `X-Long: ${'x'.repeat(100_000)}`])), 431),
  'an upload of 26 MiB': async (scene) => {
    const { id } = await card(scene)
    const body = Buffer.alloc(26 * 1024 * 1024)
    const status = await scene.status(`/api/tasks/${id}/attachments?name=big`, {
      method: 'POST',
      headers: bearer(scene.admin),
      body,
    })
    return unless(status, 413)
  },
  'JSON of 10 MB': async ({ status, admin }) =>
    unless(
      await status('/api/tasks', {
        method: 'POST',
        headers: { ...bearer(admin), 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'x', body: 'x'.repeat(10_000_000) }),
      }),
      413,
    ),
  'deep JSON': async ({ status, admin }) =>
    unless(
      await status('/api/tasks', {
        method: 'POST',
        headers: { ...bearer(admin), 'content-type': 'application/json' },
        body: `{"title":"x","checks":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
      }),
      400,
    ),
  'a cursor of the feed that is no cursor': async ({ server, admin }) => {
    const faults: string[] = []
    for (const cursor of ['x', ':', '0:0', 'abcdef:1', '-1:-1', '1e999:1', 'NaN', '%00', '..%2f', 'x'.repeat(5_000)])
      for (const inHeader of [false, true]) {
        const over = new AbortController()
        const headers = { ...bearer(admin), ...(inHeader ? { 'last-event-id': cursor } : {}) }
        const query = inHeader ? '' : `?after=${cursor}`
        const { status } = await fetch(`${server.url}/api/events${query}`, { headers, signal: over.signal })
        over.abort()
        if (![200, 400].includes(status)) faults.push(`${cursor.slice(0, 20)}: status ${status}`)
      }
    return faults
  },
  'an ETag that no answer had': async (scene) => {
    const { id } = await card(scene)
    const faults: string[] = []
    for (const etag of ['"x"', 'x', '', ',', '"', `"${'x'.repeat(5_000)}"`, 'W/"x"']) {
      const status = await scene.status(`/api/tasks/${id}`, {
        method: 'PATCH',
        headers: { ...bearer(scene.admin), 'content-type': 'application/json', 'if-match': etag },
        body: '{"title":"Stolen"}',
      })
      faults.push(...unless(status, 412))
    }
    return faults
  },
  '1,000 tries to sign in': async (scene) => {
    const statuses = new Set<number>()
    for (let tries = 0; tries < 1_000; tries += 50)
      for (const status of await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          scene.status('/api/sign-in', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ code: `guess-${tries + at}` }),
          }),
        ),
      ))
        statuses.add(status)
    const { secret } = await signIn(scene)
    const refused = [...statuses].toSorted((one, other) => one - other).join() === '401,429'
    return [...(refused ? [] : [`answers ${[...statuses].join()}`]), ...(secret === undefined ? ['locked out'] : [])]
  },
}

const unless = (status: number, ...expected: readonly number[]): readonly string[] =>
  expected.includes(status) ? [] : [`status ${status}`]

async function card({ server }: Scene): Promise<{ id: string }> {
  const reply = await server.ask('POST /api/tasks', { body: { title: 'A card' } })
  return reply.json<{ task: { id: string } }>().task
}

/** Uploads a file and downloads it again. The headers are null if the upload is refused. */
async function upload(scene: Scene, name: string, type: string): Promise<{ headers: Headers | null }> {
  const { id } = await card(scene)
  const path = `${scene.server.url}/api/tasks/${id}/attachments`
  const headers = bearer(scene.admin)
  const made = await fetch(`${path}?name=${name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  })
  if (made.status !== 201) return { headers: null }
  const { id: file } = (await made.json()) as { id: string }
  return { headers: (await fetch(`${path}/${file}`, { headers })).headers }
}

async function attachment(scene: Scene, name: string, type: string): Promise<readonly string[]> {
  const { headers } = await upload(scene, name, type)
  const shown = ['content-type', 'content-disposition', 'content-security-policy', 'x-content-type-options'].map(
    (header) => headers?.get(header) ?? '',
  )
  const expected = [/^application\/octet-stream$/, /^attachment/, /^default-src 'none'; sandbox$/, /^nosniff$/]
  return expected.flatMap((pattern, at) => (pattern.test(shown[at] ?? '') ? [] : [`header ${shown[at]}`]))
}

const MODES: readonly (readonly [string, Partial<ServeAddress>])[] = [
  ['on loopback', {}],
  ['for other machines', { host: '0.0.0.0', insecure: true }],
]
const CASES = MODES.flatMap(([mode, address]) => Object.keys(ATTACKS).map((name) => [name, mode, address] as const))

test.each(CASES)('%s does no harm to a server %s', async (name, _, address) => {
  const server = await listen(address)
  const admin = await server.tokenFor('admin')
  const status = async (path: string, init?: RequestInit): Promise<number> =>
    (await fetch(`${server.url.replace('localhost', '127.0.0.1')}${path}`, init)).status
  const before = (await server.test.store.tasks('default')).length
  expect(await ATTACKS[name]?.({ server, admin, status })).toEqual([])
  const titles = (await server.test.store.tasks('default')).map(({ title }) => title)
  expect(titles.filter((title) => title !== 'A card')).toHaveLength(before)
  expect(await status('/healthz')).toBe(200)
})
