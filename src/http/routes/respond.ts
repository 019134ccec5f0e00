/** Answers with JSON or, for a stream, with one JSON value per line. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { asBoardError, BoardError } from '../../core/errors.ts'
import { problemOf } from '../problem.ts'

/** How long to wait for the first value. Until then an error becomes the status of the response. */
const FIRST_MS = 250

export function jsonResponse(c: Context, value: unknown, { status = 200, headers = {} }: Answer = {}): Response {
  const text = JSON.stringify(value)
  const own = { 'content-type': 'application/json; charset=utf-8', ...headers }
  if (c.req.method !== 'GET') return new Response(text, { status, headers: own })
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const isSame = etagsOf(c.req.header('if-none-match')).some((known) => known === etag || known === '*')
  return new Response(isSame ? null : text, { status: isSame ? 304 : status, headers: { ...own, etag } })
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const etagsOf = (header = ''): readonly string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** The answer to HEAD drops the stream unread, and nothing would close it. */
export function refuseHead({ req }: Pick<Context, 'req'>): void {
  if (req.method !== 'HEAD') return
  throw new BoardError('method_not_allowed', `${req.path} does not accept HEAD.`, { details: { allow: 'GET' } })
}

interface Reader {
  /** Aborts when the stream must end. */
  readonly signal: AbortSignal
  readonly onEnd: () => void
}

export async function streamResponse(values: AsyncIterable<unknown>, reader: Reader): Promise<Response> {
  const iterator: AsyncIterator<unknown, unknown> = values[Symbol.asyncIterator]()
  const first = iterator.next()
  // The error is read again below. Until then it must not count as unhandled.
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
  { signal, onEnd }: Reader,
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
          return controller.close()
        }
        controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`))
      } catch (error) {
        // The status is sent already, so the error is the last line.
        if (!signal.aborted)
          controller.enqueue(encoder.encode(`${JSON.stringify({ error: problemOf(asBoardError(error)) })}\n`))
        onEnd()
        controller.close()
      }
    },
    async cancel() {
      onEnd()
      await iterator.return?.()
    },
  })
}
