/** A proxy between clients and a server that a test can cut off. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface OutageProxy {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Leaves new connections waiting without an answer. Open connections still work. */
  hold(): void
  /** Stops all data and closes no connection, as if the server hung. */
  freeze(): void
  /** Closes all connections. New connections are closed at once. */
  cut(): void
  restore(): void
  close(): void
}

export async function startOutageProxy(serverUrl: string): Promise<OutageProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let state: 'open' | 'held' | 'cut' = 'open'
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    keep(client)
    if (state === 'cut') client.destroy()
    if (state !== 'open') return
    const upstream = connect(Number(target.port), target.hostname)
    keep(upstream)
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    state = 'cut'
    for (const socket of sockets) socket.destroy()
  }
  const freeze = (): void => {
    state = 'held'
    for (const socket of sockets) socket.unpipe().pause()
  }
  const close = (): void => {
    cut()
    server.close()
  }
  const url = new URL(serverUrl)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.toString(), hold: () => (state = 'held'), freeze, cut, restore: () => (state = 'open'), close }
}
