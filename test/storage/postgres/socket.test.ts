/** Tests the socket to a server: the choice of the host, and encryption. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, inject, it, onTestFinished } from 'vitest'
import { connectClient } from '../../../src/storage/postgres/client.ts'
import { Pool } from '../../../src/storage/postgres/pool.ts'
import { Sockets } from '../../../src/storage/postgres/socket.ts'
import { sql } from '../../../src/storage/sql.ts'

const fixture = (name: string): Buffer => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url))

interface Front {
  readonly port: number
  readonly encrypted: () => number
}

/** Starts a proxy in front of the test server. The proxy answers TLS requests, because the server has no TLS. */
async function startFront(offersTls: boolean): Promise<Front> {
  const target = new URL(inject('postgresUrl'))
  let encrypted = 0
  const sockets = new Set<Socket>()
  const forward = (client: Socket, first: Buffer | null): void => {
    const upstream = connect(Number(target.port), target.hostname)
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('error', () => upstream.destroy())
    if (first !== null) upstream.write(first)
    client.pipe(upstream).pipe(client)
  }
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.once('data', (first: Buffer) => {
      if (first.length !== 8) return forward(client, first)
      client.write(offersTls ? 'S' : 'N')
      if (!offersTls) return forward(client, null)
      encrypted += 1
      const options = { isServer: true, key: fixture('key.pem'), cert: fixture('cert.pem') }
      return forward(new TLSSocket(client, options), null)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, encrypted: () => encrypted }
}

async function ask(change: (url: URL) => void): Promise<unknown> {
  const url = new URL(inject('postgresUrl'))
  change(url)
  const pool = new Pool({ url: url.toString(), schema: 'public', readOnly: true }, 1)
  try {
    return await pool.use((session) => session.sendAll([sql`select ${1}::int as one`]))
  } finally {
    await pool.end(1)
  }
}

const throughFront =
  ({ port }: Front, sslmode: string) =>
  (url: URL): void => {
    url.port = String(port)
    url.searchParams.set('sslmode', sslmode)
  }

it('a connection is encrypted if the URL asks for it', async () => {
  const front = await startFront(true)
  expect(await ask(throughFront(front, 'require'))).toEqual([[{ one: 1 }]])
  expect(front.encrypted()).toBe(1)
})

it('a self-signed certificate is refused with verify-full', async () => {
  const front = await startFront(true)
  await expect(ask(throughFront(front, 'verify-full'))).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

it('a server without TLS is used only if the URL allows it', async () => {
  const front = await startFront(false)
  expect(await ask(throughFront(front, 'prefer'))).toEqual([[{ one: 1 }]])
  await expect(ask(throughFront(front, 'require'))).rejects.toMatchObject({ code: '08001' })
})

it('the second host is tried if the first host refuses the connection', async () => {
  const { hostname, port } = new URL(inject('postgresUrl'))
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const refusing = (closed.address() as AddressInfo).port
  closed.close()
  await once(closed, 'close')
  const address = { host: ['127.0.0.1', hostname], port: [refusing, Number(port)], seconds: 5 }
  const socket = await new Sockets(address).open()
  expect(socket.remotePort).toBe(Number(port))
  socket.destroy()
  await once(socket, 'close')
})

it('a client that is ended while it connects leaves no open socket', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'))
  const client = connectClient({
    url: `postgres://ada@127.0.0.1:${port}/board`,
    schema: 'public',
    connections: 1,
    readOnly: false,
  })
  const asked = client.unsafe('select 1').catch((error: unknown) => error)
  await once(server, 'connection')
  await client.end({ timeout: 0 })
  expect(await asked).toMatchObject({ code: 'CONNECTION_DESTROYED' })
  await closed
})

it('the second host is tried at once if the first host closes the connection before TLS', async () => {
  const front = await startFront(true)
  const closing = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .resume()
      .end(),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void closing.close())
  await once(closing, 'listening')
  const ports = [(closing.address() as AddressInfo).port, front.port]
  const address = { host: ['127.0.0.1', '127.0.0.1'], port: ports, ssl: 'require', seconds: 5 }
  const started = performance.now()
  const socket = await new Sockets(address).open()
  expect(performance.now() - started).toBeLessThan(4000)
  expect(front.encrypted()).toBe(1)
  socket.destroy()
  await once(socket, 'close')
})

it('a server that never answers gives a timeout error', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const front = { port: (silent.address() as AddressInfo).port, encrypted: () => 0 }
  const asked = ask((url) => {
    throughFront(front, 'require')(url)
    url.searchParams.set('connect_timeout', '1')
  })
  await expect(asked).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' })
})
