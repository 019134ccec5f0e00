/** The HTTP server of the real program. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import type { Running, TestHome } from '../helpers/cli.ts'

const LINK = /^http:\/\/127\.0\.0\.1:(\d+)\/sign-in#([\w.-]+)$/m

interface Server {
  readonly up: Running
  readonly url: string
  readonly port: number
  readonly code: string
}

/** Starts `muster up` and waits for its link. */
async function startServer(home: TestHome, flags: readonly string[] = ['--port', '0'], env = {}): Promise<Server> {
  const up = home.start(['up', '--no-open', ...flags], { env })
  const [, port = '', code = ''] = await expect
    .poll(() => LINK.exec(up.output()))
    .not.toBeNull()
    .then(() => LINK.exec(up.output()) ?? [])
  return { up, url: `http://127.0.0.1:${port}`, port: Number(port), code }
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('up prints a link that signs in, and the session runs a card', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { up, url, code } = await startServer(home)
  const signedIn = await post(`${url}/api/sign-in`, { code })
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
  const { secret } = (await signedIn.json()) as { secret: string }
  const headers = { cookie, 'x-muster-secret': secret }
  const created = await post(`${url}/api/tasks`, { title: 'Hello', assignee: 'shell', body: 'echo hello' }, headers)
  const { task } = (await created.json()) as { task: { id: string } }
  await expect
    .poll(
      async () =>
        ((await (await fetch(`${url}/api/tasks/${task.id}`, { headers })).json()) as { status: string }).status,
    )
    .toBe('done')
  const log = (await (await fetch(`${url}/api/tasks/${task.id}/log`, { headers })).json()) as { text: string }
  expect(log.text).toContain('hello')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  up.child.kill('SIGINT')
  expect((await up.ended).code).toBe(0)
  expect(readdirSync(join(home.home, 'servers'))).toEqual([])
})

test('open makes a new link for a running server', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const absent = await home.muster('open')
  expect(absent.code).toBe(1)
  expect(absent.stderr).toContain("Muster isn't running. Start it with: muster up")
  const { url } = await startServer(home)
  const [file = ''] = readdirSync(join(home.home, 'servers'))
  expect(statSync(join(home.home, 'servers', file)).mode & 0o777).toBe(0o600)
  const { stdout } = await home.muster('open')
  const [, , code] = LINK.exec(stdout) ?? []
  expect((await post(`${url}/api/sign-in`, { code })).status).toBe(200)
})

test('a token that is revoked at the command line stops working', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { url } = await startServer(home)
  const { stdout } = await home.runInline('tokens', 'create', 'ci', '--scope', 'operate')
  const headers = { authorization: `Bearer ${stdout.trim()}` }
  expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(200)
  await home.runInline('tokens', 'revoke', 'ci')
  expect((await fetch(`${url}/api/tasks`, { headers })).status).toBe(401)
})

test('a port that is taken is an error that names the program', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { port, up: first } = await startServer(home)
  const second = await home.muster('up', '--no-dispatch', '--port', String(port))
  expect(second.code).toBe(4)
  expect(second.stderr).toContain(`Port ${port} is taken by the Muster of this data folder (pid ${first.child.pid}).`)

  const other = makeTestHome('sqlite')
  await other.runInline('init')
  const third = await other.muster('up', '--no-dispatch', '--port', String(port))
  expect(third.stderr).toContain(`Port ${port} is taken by Muster with another data folder`)

  const stranger = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  const taken = (stranger.address() as AddressInfo).port
  const fourth = await other.muster('up', '--no-dispatch', '--port', String(taken))
  expect(fourth.stderr).toMatch(new RegExp(`Port ${taken} is taken by \\S+ .*\\(pid ${process.pid}\\)\\.`))
})

test('without --port, two servers of one machine get different ports', async () => {
  const homes = [makeTestHome('sqlite'), makeTestHome('sqlite')]
  const servers: Server[] = []
  for (const home of homes) {
    await home.runInline('init')
    servers.push(await startServer(home, ['--no-dispatch']))
  }
  const [first, second] = servers
  expect(first?.port).not.toBe(second?.port)
  expect(second?.up.output()).toMatch(/Port 6878 is taken by .*\. Using port \d+ instead\./)
})

test('up serves other machines only with TLS or --insecure-http', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const refused = await home.muster('up', '--no-dispatch', '--port', '0', '--host', '0.0.0.0')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('Add --cert and --key, or --insecure-http')
  const half = await home.muster('up', '--no-dispatch', '--cert', 'cert.pem')
  expect(half.stderr).toContain('--cert and --key go together')
  const up = home.start(['up', '--no-dispatch', '--no-open', '--port', '0', '--host', '0.0.0.0', '--insecure-http'])
  await expect.poll(() => up.output()).toMatch(/^http:\/\/localhost:\d+\/sign-in#/m)
})

/** A certificate that no authority signed, or null if the machine has no openssl. */
function makeCertificate(folder: string): { cert: string; key: string } | null {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const files = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  const { status } = spawnSync('openssl', ['req', '-x509', ...files, '-days', '2', '-subj', '/CN=localhost'])
  return status === 0 ? { cert, key } : null
}

/** Sends a request without a check of the certificate. */
async function postOverTls(url: string, body: unknown): Promise<{ status: number | undefined; cookie: string }> {
  const sent = request(url, {
    method: 'POST',
    rejectUnauthorized: false,
    headers: { 'content-type': 'application/json' },
  })
  sent.end(JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return { status: answer.statusCode, cookie: String(answer.headers['set-cookie']) }
}

test('with a certificate, other machines connect over TLS, and open makes a link', async ({ skip }) => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const tls = makeCertificate(home.home)
  if (tls === null) return skip('this machine has no openssl')
  const address = ['--host', '0.0.0.0', '--port', '0', '--cert', tls.cert, '--key', tls.key]
  const up = home.start(['up', '--no-open', '--no-dispatch', ...address])
  await expect.poll(() => up.output()).toMatch(/^https:\/\/localhost:\d+\/sign-in#/m)
  const link = new URL((await home.muster('open')).stdout.trim())
  const signedIn = await postOverTls(`${link.origin}/api/sign-in`, { code: link.hash.slice(1) })
  expect(signedIn.status).toBe(200)
  expect(signedIn.cookie).toContain('; Secure; SameSite=Strict')
})

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('a client that never finishes its headers is disconnected', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { port } = await startServer(home, ['--port', '0', '--no-dispatch'], { MUSTER_REQUEST_HEADERS_MS: '300' })
  const socket = await openSocket(port)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (piece: Buffer) => (answer += piece.toString()))
  socket.write('GET /api/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('up answers open requests and ends streams before it stops', async () => {
  const home = makeTestHome('sqlite')
  const card = await home.create('A card', '--assignee', 'nobody')
  const { up, url } = await startServer(home, ['--port', '0', '--no-dispatch'])
  const { stdout } = await home.runInline('tokens', 'create', 'ci')
  const headers = { authorization: `Bearer ${stdout.trim()}` }
  const stream = await fetch(`${url}/api/tasks/${card.id}/events?follow=true`, { headers })
  expect(stream.status).toBe(200)
  const rest = stream.text()
  up.child.kill('SIGINT')
  expect((await up.ended).code).toBe(0)
  expect((await rest).split('\n')[0]).toContain('"created"')
})
