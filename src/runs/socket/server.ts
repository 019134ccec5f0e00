/**
 * The supervisor's end of the socket. The server answers the requests of several connections at the same time. Before
 * it closes, it answers the current requests. A faulty client affects only its own connection.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError } from '../../core/errors.ts'
import { makeSocketFolder, removeSocket, restrictToOwner } from './address.ts'
import { readLines } from './lines.ts'
import { ANSWER_BYTES, PROTOCOL_VERSION, REQUEST_BYTES, asLine, socketFault, readRequest } from './protocol.ts'
import type { SocketAnswer } from './protocol.ts'

/** The maximum number of connections. A run needs far fewer, and the limit protects the supervisor. */
const MAX_CONNECTIONS = 32
const MAX_REQUESTS = 16
/** How long a refused client may take to read the error before the server closes its connection. */
const READ_ERROR_MS = 1_000
const CLOSE_MS = 3_000

export interface RunServer {
  /** Waits a short time until the current requests are answered. */
  idle(): Promise<void>
  /** Refuses new requests, and waits until the current requests are answered. */
  close(): Promise<void>
}

export interface Service {
  readonly path: string
  readonly nonce: string
  readonly answer: (op: string, input: unknown) => Promise<unknown>
  readonly connections?: number
  readonly requestBytes?: number
  readonly closeMs?: number
}

interface Serving extends Required<Service> {
  readonly proof: Buffer
  readonly connected: Set<Socket>
  readonly underWay: Set<Promise<void>>
  closing: boolean
}

export async function serveRun(service: Service): Promise<RunServer> {
  const serving: Serving = {
    connections: MAX_CONNECTIONS,
    requestBytes: REQUEST_BYTES,
    closeMs: CLOSE_MS,
    ...service,
    proof: digest(service.nonce),
    connected: new Set(),
    underWay: new Set(),
    closing: false,
  }
  const { path } = serving
  await makeSocketFolder(path)
  // Connections may be half open. A client may close its side after its last request and still read the answers.
  const server = createServer({ allowHalfOpen: true }, (socket) => void receive(serving, socket))
  server.maxConnections = serving.connections * 4 // The limit includes connections that are being refused.
  try {
    server.listen(path)
    await once(server, 'listening')
    await restrictToOwner(path)
  } catch (error) {
    server.close()
    await removeSocket(path)
    throw error
  }
  server.on('error', () => {}) // A connection could not be accepted, so its client retries.
  return { idle: () => idle(serving), close: () => close(serving, server) }
}

async function idle({ underWay, closeMs }: Serving): Promise<void> {
  const late = new AbortController()
  await Promise.race([Promise.all(underWay), sleep(closeMs, undefined, { signal: late.signal }).catch(() => {})])
  late.abort()
}

async function close(serving: Serving, server: Server): Promise<void> {
  if (serving.closing) return
  serving.closing = true
  const closed = server.listening ? once(server, 'close') : null
  server.close()
  await idle(serving)
  for (const socket of serving.connected) socket.destroy()
  await closed
  await removeSocket(serving.path)
}

/** Serves one connection, from its first line to its last answer. Never rejects. */
async function receive(serving: Serving, socket: Socket): Promise<void> {
  const { connected, connections, requestBytes } = serving
  connected.add(socket)
  socket.once('close', () => connected.delete(socket))
  socket.on('error', () => {}) // The loop below ends after an error too.
  if (connected.size > connections) return closeWithError(socket, tooMany())
  const own = new Set<Promise<void>>()
  try {
    for await (const line of readLines(socket.iterator({ destroyOnReturn: false }), requestBytes)) {
      if (line === null) return closeWithError(socket, tooLong(requestBytes))
      if (serving.closing) break
      const answered = respond(serving, socket, line).finally(() => {
        own.delete(answered)
        serving.underWay.delete(answered)
      })
      own.add(answered)
      serving.underWay.add(answered)
      // No further request is read until an answer is sent, so that one connection has a limited number of open
      // requests.
      if (own.size >= MAX_REQUESTS) await Promise.race(own)
    }
    await Promise.all(own)
    socket.end()
  } catch {
    socket.destroy()
  }
}

const tooMany = (): BoardError =>
  new BoardError('capped', 'Too many processes of this run are connected: try again in a moment.')

const tooLong = (bytes: number): BoardError =>
  new BoardError('invalid_input', `A request may have at most ${bytes} bytes: attach a file instead.`)

function closeWithError(socket: Socket, error: BoardError): void {
  socket.end(asLine({ id: null, error: socketFault(error) } satisfies SocketAnswer))
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), READ_ERROR_MS)
  socket.once('close', () => clearTimeout(timer))
}

async function respond(serving: Serving, socket: Socket, line: Uint8Array): Promise<void> {
  const { v, id, nonce, op, input } = readRequest(line)
  let text: string
  try {
    if (!isSame(nonce, serving.proof)) throw wrongNonce()
    if (v !== PROTOCOL_VERSION)
      throw new BoardError(
        'not_supported',
        `This run uses version ${PROTOCOL_VERSION} of the socket protocol, but the request uses another version.`,
      )
    text = bounded(asLine({ id, output: await serving.answer(op, input) } satisfies SocketAnswer))
  } catch (error) {
    text = asLine({ id, error: socketFault(error) } satisfies SocketAnswer)
  }
  // Waits until the answer is sent. Otherwise a client that does not read could fill the memory.
  if (!socket.destroyed) await new Promise<void>((sent) => socket.write(text, () => sent()))
}

const wrongNonce = (): BoardError =>
  new BoardError('run_over', 'Only the worker of this run may send requests for it, and this is not its nonce.')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares hashes in constant time, so that the time reveals nothing about the nonce. */
const isSame = (nonce: string, proof: Buffer): boolean => timingSafeEqual(digest(nonce), proof)

function bounded(text: string): string {
  if (Buffer.byteLength(text) <= ANSWER_BYTES) return text
  throw new BoardError('invalid_input', 'The answer is too large: ask for less, for example with --limit.')
}
