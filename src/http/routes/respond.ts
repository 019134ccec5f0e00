/** Answers with JSON. For a stream, answers with one JSON value per line. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { asBoardError, BoardError } from '../../core/errors.ts'
import type { CutOff } from '../cut-off.ts'
import { secureResponse } from '../guard.ts'
import { problemOf } from '../problem.ts'

/** The time to wait for the first value of a stream. An error within this time sets the status of the response. */
const FIRST_MS = 250

export function jsonResponse(c: Context, value: unknown, { status = 200, headers = {} }: Answer = {}): Response {
  const text = JSON.stringify(value)
  if (c.req.method === 'GET') return sendAnswer(c, makeAnswer(text, headers))
  return secureResponse(text, status, { 'content-type': JSON_TYPE, ...headers })
}

/** The complete answer to a GET request. */
export interface PreparedAnswer {
  readonly text: string
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

export function makeAnswer(text: string, headers: Readonly<Record<string, string>> = {}): PreparedAnswer {
  const etag = etagOf(text)
  return { text, etag, headers: { 'content-type': JSON_TYPE, ...headers, etag } }
}

/** Sends the answer, or status 304 if the client has it already. */
export function sendAnswer(c: Context, { text, etag, headers }: PreparedAnswer): Response {
  const isSame = hasEtag(c.req.header('if-none-match'), etag)
  return secureResponse(isSame ? null : text, isSame ? 304 : 200, headers)
}

const JSON_TYPE = 'application/json; charset=utf-8'

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const etagOf = (text: string): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

/** Whether the header If-Match or If-None-Match names the ETag. */
export const hasEtag = (header = '', etag: string): boolean =>
  header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))

/** Whether the header If-Match contains the ETag of the value. */
export const isMatch = (header: string, value: unknown): boolean => hasEtag(header, etagOf(JSON.stringify(value)))

/** Refuses HEAD for a stream. The answer to HEAD has no body, so the stream would never be closed. */
export function refuseHead({ req }: Pick<Context, 'req'>): void {
  if (req.method !== 'HEAD') return
  throw new BoardError('method_not_allowed', `${req.path} does not accept HEAD.`, { details: { allow: 'GET' } })
}

interface Reader {
  /** A signal that aborts when the stream must end. */
  readonly signal: AbortSignal
  readonly cutOff: CutOff
  readonly onEnd: () => void
}

export async function streamResponse(values: AsyncIterable<unknown>, reader: Reader): Promise<Response> {
  const iterator: AsyncIterator<unknown, unknown> = values[Symbol.asyncIterator]()
  const first = iterator.next()
  // The response handles the error later. Without this handler, Node would report the error as unhandled before that.
  first.catch(() => {})
  const waits = new AbortController()
  await Promise.race([first, delay(FIRST_MS, waits.signal)]).finally(() => waits.abort())
  return new Response(linesOf(iterator, first, reader), { headers: { 'content-type': 'application/x-ndjson' } })
}

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => clearTimeout(timer))
  })

function linesOf(
  iterator: AsyncIterator<unknown, unknown>,
  first: Promise<IteratorResult<unknown, unknown>>,
  { signal, cutOff, onEnd }: Reader,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<unknown, unknown>> | null = first
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await (next ?? iterator.next())
        next = null
        if (done === true) {
          onEnd()
          // If the server stopped or the token was revoked, the stream is incomplete, so the response is cut off.
          return signal.aborted ? cutOff(controller) : controller.close()
        }
        controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
      } catch (error) {
        onEnd()
        if (signal.aborted) return cutOff(controller)
        // The status is already sent, so the error becomes the last line of the response.
        controller.enqueue(encoder.encode(`${JSON.stringify({ error: problemOf(asBoardError(error)) })}\n`))
        controller.close()
      }
    },
    async cancel() {
      onEnd()
      await iterator.return?.()
    },
  })
}
