/**
 * Serves one client over a pair of streams, one message per line.
 *   reading → (requests answered as they come, several at once)* → the client is gone: what is under way is finished
 */
import { LineTooLong, readLines } from '../workers/run-socket/lines.ts'
import { answer } from './answer.ts'
import type { Backend } from './answer.ts'
import { CODES, RpcError, errorLine, readMessage, resultLine } from './json-rpc.ts'
import type { Request, RequestId } from './json-rpc.ts'

/** Room for the longest body of a card, however its characters are escaped. */
const MESSAGE_BYTES = 8 * 1024 * 1024
/** Who asks faster than it is answered is read no further. */
const AT_ONCE = 16

export interface Client {
  readonly input: AsyncIterable<Uint8Array>
  /** Resolves when it is sent. A client that is gone takes nothing, and that is no fault. */
  readonly send: (line: string) => Promise<void>
  readonly version: string
}

export async function serve(backend: Backend, client: Client): Promise<void> {
  const cancelled = new Set<RequestId>()
  const underWay = new Set<Promise<void>>()
  const begin = (request: Request): void => {
    const done = respond(backend, client, request, cancelled).finally(() => underWay.delete(done))
    underWay.add(done)
  }
  try {
    for await (const line of readLines(client.input, MESSAGE_BYTES)) {
      if (line.length === 0) continue
      const message = readMessage(line)
      if (message.kind === 'request') begin(message.request)
      else if (message.kind === 'fault') await client.send(errorLine(message.id, message.error))
      else if (message.kind === 'notification' && message.method === 'notifications/cancelled')
        cancelled.add(message.params['requestId'] as RequestId)
      if (underWay.size >= AT_ONCE) await Promise.race(underWay)
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error
    await client.send(errorLine(null, new RpcError(CODES.request, `A message may have ${MESSAGE_BYTES} bytes.`)))
  }
  await Promise.all(underWay)
}

/** Never rejects: one request that goes wrong is answered so, and the others go on. */
async function respond(
  backend: Backend,
  { send, version }: Client,
  request: Request,
  cancelled: Set<RequestId>,
): Promise<void> {
  const { id } = request
  let line: string
  try {
    line = resultLine(id, await answer(backend, request, version))
  } catch (error) {
    line = errorLine(id, error instanceof RpcError ? error : internal(error))
  }
  if (!cancelled.delete(id)) await send(line)
}

const internal = (error: unknown): RpcError =>
  new RpcError(
    CODES.internal,
    `Something went wrong in Muster itself: ${error instanceof Error ? error.message : String(error)}`,
  )
