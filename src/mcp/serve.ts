/**
 * Serves one client, one message per line.
 *   reading → (requests answered as they come, several at once)* → the client is gone: what is under way is finished
 */
import { readLines } from '../runs/socket/lines.ts'
import { answer } from './answer.ts'
import type { Backend } from './answer.ts'
import { CODES, RpcError, errorOf, readLine, resultOf } from './json-rpc.ts'
import type { Incoming, Message, Request, RequestId, Response } from './json-rpc.ts'

/** Room for the longest body of a card, however its characters are escaped. */
const MESSAGE_BYTES = 8 * 1024 * 1024
/** Who asks faster than it is answered is read no further. */
const AT_ONCE = 16
const SPACE = 0x20

export interface Client {
  readonly input: AsyncIterable<Uint8Array>
  /** Resolves when it is sent. A client that is gone takes nothing, and that is no fault. */
  readonly send: (line: string) => Promise<void>
  readonly version: string
}

const isBlank = (line: Uint8Array): boolean => line.every((byte) => byte <= SPACE)

/** What is asked and not yet answered; one that is cancelled is done all the same, and nobody is told. */
type Open = Map<RequestId, { isWanted: boolean }>

export async function serve(backend: Backend, client: Client): Promise<void> {
  const open: Open = new Map()
  const underWay = new Set<Promise<void>>()
  for await (const line of readLines(client.input, MESSAGE_BYTES)) {
    if (line !== null && isBlank(line)) continue
    const incoming = line === null ? tooLong() : readLine(line)
    const done = respond({ backend, client, open }, incoming).finally(() => underWay.delete(done))
    underWay.add(done)
    if (underWay.size >= AT_ONCE) await Promise.race(underWay)
  }
  await Promise.all(underWay)
}

interface Session {
  readonly backend: Backend
  readonly client: Client
  readonly open: Open
}

/** Never rejects: one request that goes wrong is answered so, and the others go on. */
async function respond(session: Session, incoming: Incoming): Promise<void> {
  if (incoming.kind !== 'batch') return reply(session, await handle(session, incoming))
  const responses: Response[] = []
  for (const message of incoming.messages) {
    const response = await handle(session, message)
    if (response !== null) responses.push(response)
  }
  return reply(session, responses.length === 0 ? null : responses)
}

async function reply({ client }: Session, response: Response | readonly Response[] | null): Promise<void> {
  if (response !== null) await client.send(`${JSON.stringify(response)}\n`)
}

async function handle(session: Session, message: Message): Promise<Response | null> {
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

async function answerRequest({ backend, client, open }: Session, request: Request): Promise<Response | null> {
  const { id } = request
  const asked = { isWanted: true }
  open.set(id, asked)
  let response: Response
  try {
    response = resultOf(id, await answer(backend, request, client.version))
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
    CODES.request,
    `A message may have ${MESSAGE_BYTES} bytes: put what is longer into a file, and attach that.`,
  ),
})

const internal = (error: unknown): RpcError =>
  new RpcError(
    CODES.internal,
    `Something went wrong in Muster itself: ${error instanceof Error ? error.message : String(error)}`,
  )
