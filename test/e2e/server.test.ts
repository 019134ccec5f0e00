/** Tests the HTTP server of the real program. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'
import { LINK, startHttpServer } from '../helpers/http-server.ts'
import type { HttpServer } from '../helpers/http-server.ts'

/** Takes a port with a server of the test, and returns the port. */
async function listen(port: number): Promise<number> {
  const stranger = createServer((_, response) => response.end('hello')).listen(port, '127.0.0.1')
  onTestFinished(() => void stranger.close())
  await once(stranger, 'listening')
  return (stranger.address() as AddressInfo).port
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

describe('a running server', () => {
  const home = makeTestHome('sqlite', afterAll)
  let server: HttpServer

  beforeAll(async () => {
    await home.runInline('init')
    server = await startHttpServer(home)
  })

  test('`up` prints a link that signs the browser in, and the session runs a card', async () => {
    const { url, code } = server
    const signedIn = await post(`${url}/api/sign-in`, { code })
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
    const { secret } = (await signedIn.json()) as { secret: string }
    const headers = { cookie, 'x-muster-secret': secret }
    const created = await post(`${url}/api/tasks`, { title: 'Hello', assignee: 'shell', body: 'echo hello' }, headers)
    const { task } = (await created.json()) as { task: { id: string } }
    const read = async (path: string) => (await fetch(`${url}/api/tasks/${task.id}${path}`, { headers })).json()
    await expect.poll(async () => ((await read('')) as { status: string }).status).toBe('done')
    expect(((await read('/log')) as { text: string }).text).toContain('hello')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test('`open` prints a new link that signs a browser in', async () => {
    const [file = ''] = readdirSync(join(home.home, 'servers'))
    expect(statSync(join(home.home, 'servers', file)).mode & 0o777).toBe(0o600)
    const { stdout } = await home.muster('open')
    const [, , code] = LINK.exec(stdout) ?? []
    expect((await post(`${server.url}/api/sign-in`, { code })).status).toBe(200)
  })

  test('a token that is revoked at the command line stops working', async () => {
    const { stdout } = await home.runInline('tokens', 'create', 'ci', '--scope', 'operate')
    const headers = { authorization: `Bearer ${stdout.trim()}` }
    expect((await fetch(`${server.url}/api/tasks`, { headers })).status).toBe(200)
    await home.runInline('tokens', 'revoke', 'ci')
    expect((await fetch(`${server.url}/api/tasks`, { headers })).status).toBe(401)
  })

  test('a port in use gives an error that names the program', async () => {
    const { port, up } = server
    const second = await home.muster('up', '--no-dispatch', '--port', String(port))
    expect(second.code).toBe(4)
    expect(second.stderr).toContain(`Port ${port} is taken by the Muster of this data folder (pid ${up.child.pid}).`)

    const other = makeTestHome('sqlite')
    await other.runInline('init')
    const third = await other.muster('up', '--no-dispatch', '--port', String(port))
    expect(third.stderr).toContain(`Port ${port} is taken by Muster with another data folder`)

    const taken = await listen(0)
    const fourth = await other.muster('up', '--no-dispatch', '--port', String(taken))
    expect(fourth.stderr).toMatch(new RegExp(`Port ${taken} is taken by \\S+ .*\\(pid ${process.pid}\\)\\.`))
  })
})

test('with --no-link, `up` prints only its URL, and `open` creates the link', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const up = home.start(['up', '--no-dispatch', '--no-link', '--port', '0'])
  await expect.poll(() => up.output()).toMatch(/Serving http:\/\/127\.0\.0\.1:\d+\. To sign in, run: muster open/)
  expect(up.output()).not.toContain('sign-in#')
  expect((await home.muster('open')).stdout).toMatch(LINK)
})

test('`open` without a running server names the command that starts a server', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const absent = await home.muster('open')
  expect(absent.code).toBe(1)
  expect(absent.stderr).toContain("Muster isn't running. Start it with: muster up")
})

test('without `--port`, `up` uses another port if the default port is in use', async () => {
  const isOurs = await listen(6878).then(
    () => true,
    () => false,
  )
  const start = async () => {
    const home = makeTestHome('sqlite')
    await home.runInline('init')
    return startHttpServer(home, { port: null, flags: ['--no-dispatch'] })
  }
  const first = await start()
  // Another program had the default port and ended meanwhile, so this server has it, and a second one has not.
  const { port, up } = !isOurs && first.port === 6878 ? await start() : first
  expect(port).not.toBe(6878)
  expect(up.output()).toMatch(/Port 6878 is taken by .*\. Using port \d+ instead\./)
})

test('`up` serves other machines only with TLS or --insecure-http', async () => {
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

/** Makes a certificate that no authority signed. Returns null if the machine has no openssl. */
function makeCertificate(folder: string): { cert: string; key: string } | null {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const files = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  const { status } = spawnSync('openssl', ['req', '-x509', ...files, '-days', '2', '-subj', '/CN=localhost'])
  return status === 0 ? { cert, key } : null
}

/** Sends a request without checking the certificate. */
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

test('with a certificate, other machines connect over TLS, and `open` prints a working link', async ({ skip }) => {
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

test.each([
  ['on loopback', []],
  ['for other machines', ['--host', '0.0.0.0', '--insecure-http']],
])('a client that never finishes its headers is disconnected, from a server %s', async (_, address) => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const env = { MUSTER_REQUEST_HEADERS_MS: '300' }
  const { port } = await startHttpServer(home, { flags: ['--no-dispatch', ...address], env })
  const socket = await openSocket(port)
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (piece: Buffer) => (answer += piece.toString()))
  socket.write('GET /api/tasks HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
  await once(socket, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('a client with too many connections is disconnected and the server continues', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const env = { MUSTER_REQUEST_CONNECTIONS: '2', MUSTER_REQUEST_HEADERS_MS: '120000' }
  const { port, url } = await startHttpServer(home, { flags: ['--no-dispatch'], env })
  const held = [await openSocket(port), await openSocket(port)]
  const refused = await openSocket(port)
  refused.resume()
  await once(refused, 'close')
  for (const socket of held) socket.destroy()
  await expect.poll(async () => (await fetch(`${url}/healthz`).catch(() => null))?.status).toBe(200)
})

test('`up` closes open streams when it stops', async () => {
  const home = makeTestHome('sqlite')
  const card = await home.create('A card', '--assignee', 'nobody')
  const { up, url } = await startHttpServer(home, { flags: ['--no-dispatch'] })
  const { stdout } = await home.runInline('tokens', 'create', 'ci')
  const headers = { authorization: `Bearer ${stdout.trim()}` }
  const stream = await fetch(`${url}/api/tasks/${card.id}/events?follow=true`, { headers })
  expect(stream.status).toBe(200)
  const reader = stream.body?.getReader()
  expect(String(Buffer.from((await reader?.read())?.value ?? []))).toContain('"created"')
  const rest = reader?.read().catch((error: unknown) => error)
  up.child.kill('SIGINT')
  expect(await up.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Error') })
  expect(await rest).toBeInstanceOf(TypeError)
  expect(readdirSync(join(home.home, 'servers'))).toEqual([])
})

test('`up` finishes an open request before it stops, and accepts no new one', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { up, port } = await startHttpServer(home, { flags: ['--no-dispatch'] })
  const token = (await home.runInline('tokens', 'create', 'ci', '--scope', 'operate')).stdout.trim()
  const socket = await openSocket(port)
  let answer = ''
  socket.on('data', (piece: Buffer) => (answer += piece.toString()))
  const body = JSON.stringify({ title: 'Sent slowly' })
  const head = ['POST /api/tasks HTTP/1.1', `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`]
  const length = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  socket.write(`${[...head, ...length, '', ''].join('\r\n')}${body.slice(0, 5)}`)
  await sleep(300)
  up.child.kill('SIGINT')
  await expect.poll(async () => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => 'refused')).toBe('refused')
  expect(up.child.exitCode).toBeNull()
  socket.write(body.slice(5))
  expect(await up.ended).toMatchObject({ code: 0 })
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
  expect((await (await home.store()).tasks('default')).map(({ title }) => title)).toEqual(['Sent slowly'])
})

test('after a restore, a card is read again and a change with its old ETag is refused', async () => {
  const home = makeTestHome('sqlite')
  await home.runInline('init')
  const { url } = await startHttpServer(home, { flags: ['--no-dispatch'] })
  const token = (await home.runInline('tokens', 'create', 'ci', '--scope', 'operate')).stdout.trim()
  const card = await home.create('Before', '--assignee', 'nobody')
  const backup = JSON.parse((await home.runInline('backup', 'create', '--json')).stdout) as { name: string }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const get = async () => fetch(`${url}/api/tasks/${card.id}`, { headers })
  const change = async (title: string, more: Record<string, string> = {}) =>
    fetch(`${url}/api/tasks/${card.id}`, {
      method: 'PATCH',
      headers: { ...headers, ...more },
      body: JSON.stringify({ title }),
    })
  expect((await change('After')).status).toBe(200)
  const late = await get()
  for (let again = 0; again < 3; again += 1) expect(await (await get()).json()).toMatchObject({ title: 'After' })
  expect(await home.muster('backup', 'restore', backup.name, '--yes')).toMatchObject({ code: 0 })
  expect(await (await get()).json()).toMatchObject({ title: 'Before' })
  const refused = await change('Lost', { 'if-match': late.headers.get('etag') ?? '' })
  expect([refused.status, await refused.json()]).toEqual([412, expect.objectContaining({ code: 'card_changed' })])
  expect(await (await get()).json()).toMatchObject({ title: 'Before' })
})
