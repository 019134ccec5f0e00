/**
 * A proxy that delays every answer of a server in order to count round trips. A round trip begins when the client sends
 * data after an answer. Because of the delay, a client that waits for an answer sends no data before the answer
 * arrives.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

const DELAY_MS = 15
/** The protocol messages that run a statement: Execute and Query. */
const RUNS_STATEMENT = ['E', 'Q']

export interface SlowProxy {
  /** The URL of the server through the proxy. */
  readonly url: string
  /** Returns the number of round trips of all connections so far. */
  readonly roundTrips: () => number
  /** Returns the number of statements of all connections so far. */
  readonly statements: () => number
  /** Resolves when no data has passed for a while. */
  readonly quiet: () => Promise<void>
}

export async function startSlowProxy(serverUrl: string): Promise<SlowProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  let statements = 0
  let passedAt = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      // If one side disconnects, the handlers below close the other side.
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    let isAnswered = true
    const readMessages = messageReader((type) => {
      if (RUNS_STATEMENT.includes(type)) statements += 1
    })
    client.on('data', (chunk: Buffer) => {
      readMessages(chunk)
      if (isAnswered) roundTrips += 1
      isAnswered = false
      passedAt = performance.now()
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      setTimeout(() => {
        isAnswered = true
        passedAt = performance.now()
        client.write(chunk)
      }, DELAY_MS)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => setTimeout(() => client.destroy(), DELAY_MS))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = new URL(serverUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.toString(),
    roundTrips: () => roundTrips,
    statements: () => statements,
    quiet: async () => {
      while (performance.now() - passedAt < 5 * DELAY_MS) await sleep(DELAY_MS)
    },
  }
}

/**
 * Calls back with the type of each message that a client sends. The first message starts the session and has no type.
 */
function messageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let unread = Buffer.alloc(0)
  let typeLength = 0
  return (chunk) => {
    unread = Buffer.concat([unread, chunk])
    while (unread.length >= typeLength + 4) {
      const length = typeLength + unread.readInt32BE(typeLength)
      if (unread.length < length) return
      if (typeLength > 0) onMessage(unread.toString('latin1', 0, 1))
      typeLength = 1
      unread = unread.subarray(length)
    }
  }
}
