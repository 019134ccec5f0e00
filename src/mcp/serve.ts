/**
 * Serves one client that sends one message per line. Several requests are answered at the same time. When the client
 * disconnects, the open requests are finished.
 */
import { asBoardError } from '../core/errors.ts'
import { readLines } from '../runs/socket/lines.ts'
import { answerMethod } from './answer.ts'
import type { Backend } from './answer.ts'
import { RPC_CODES, RpcError, errorOf, readLine, successOf } from './json-rpc.ts'
import type { Incoming, Message, Request, RequestId, Response } from './json-rpc.ts'

/** The maximum size of a message: the longest body of a card, with every character escaped. */
export const MESSAGE_BYTES = 8 * 1024 * 1024
/** The maximum number of open requests. When an open request is finished, the next request is read. */
const MAX_PENDING = 16
const SPACE = 0x20

export interface McpClient {
  readonly input: AsyncIterable<Uint8Array>
  /** Sends a line. Resolves when the line is sent, or when the client has disconnected. */
  readonly send: (line: string) => Promise<void>
  readonly version: string
}

const isBlankLine = (line: Uint8Array): boolean => line.every((byte) => byte <= SPACE)

/** The open requests. A cancelled request still finishes, but its answer is not sent. */
type Open = Map<RequestId, { isWanted: boolean }>

export async function serve(backend: Backend, client: McpClient): Promise<void> {
  const open: Open = new Map()
  const pending = new Set<Promise<void>>()
  for await (const line of readLines(client.input, MESSAGE_BYTES)) {
    if (line !== null && isBlankLine(line)) continue
    const incoming = line === null ? tooLong() : readLine(line)
    const done = respond({ backend, client, open }, incoming).finally(() => pending.delete(done))
    pending.add(done)
    if (pending.size >= MAX_PENDING) await Promise.race(pending)
  }
  await Promise.all(pending)
}

interface McpSession {
  readonly backend: Backend
  readonly client: McpClient
  readonly open: Open
}

/** Answers a message. This function never rejects, because a failed request is answered with an error. */
async function respond(session: McpSession, incoming: Incoming): Promise<void> {
  if (incoming.kind !== 'batch') return reply(session, await handle(session, incoming))
  const responses: Response[] = []
  for (const message of incoming.messages) {
    const response = await handle(session, message)
    if (response !== null) responses.push(response)
  }
  return reply(session, responses.length === 0 ? null : responses)
}

async function reply({ client }: McpSession, response: Response | readonly Response[] | null): Promise<void> {
  if (response !== null) await client.send(`${JSON.stringify(response)}\n`)
}

async function handle(session: McpSession, message: Message): Promise<Response | null> {
  switch (message.kind) {
    case 'request':
      return answerRequest(session, message.request)
    case 'fault':
      return errorOf(message.id, message.error)
    case 'notification':
      if (message.method === 'notifications/cancelled') cancel(session.open, message.params['requestId'])
      return null
    case 'answer':
      return null
  }
}

async function answerRequest({ backend, client, open }: McpSession, request: Request): Promise<Response | null> {
  const { id } = request
  const asked = { isWanted: true }
  open.set(id, asked)
  let response: Response
  try {
    response = successOf(id, await answerMethod(backend, request, client.version))
  } catch (error) {
    response = errorOf(id, error instanceof RpcError ? error : internal(error))
  }
  if (open.get(id) === asked) open.delete(id)
  return asked.isWanted ? response : null
}

function cancel(open: Open, id: unknown): void {
  const asked = open.get(id as RequestId)
  if (asked !== undefined) asked.isWanted = false
}

const tooLong = (): Message => ({
  kind: 'fault',
  id: null,
  error: new RpcError(
    RPC_CODES.request,
    `A message is limited to ${MESSAGE_BYTES} bytes. Write longer text to a file and attach it.`,
  ),
})

const internal = (error: unknown): RpcError => new RpcError(RPC_CODES.internal, asBoardError(error).message)
