/**
 * Sends the bytes of a log, or a range of them. A long log loses its middle, but positions still count all output of
 * the run. A range that starts in the lost part starts after it, and a range that reaches the lost part ends before it.
 */
import type { Context } from 'hono'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { findLog } from '../../operations/runs/find-log.ts'
import type { ReadLogPiece } from '../../runs/log/read-log-piece.ts'
import { cutOffOf } from '../cut-off.ts'
import type { CutOff } from '../cut-off.ts'
import type { HttpEnv, HttpParts } from '../parts.ts'
import { contentRange, noSuchRange, readRange } from './byte-range.ts'

const PIECE = 1024 * 1024

const HEADERS = {
  // An agent may print a page with scripts, so no browser may show the log as a page of this server.
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; sandbox",
  'accept-ranges': 'bytes',
  vary: 'accept, range',
}

/** Whether the client asks for bytes and not for the JSON of the operation. */
export function wantsBytes({ req }: Pick<Context<HttpEnv>, 'req'>): boolean {
  return req.header('range') !== undefined || /^text\/plain\b/i.test(req.header('accept') ?? '')
}

export async function logBytes(c: Context<HttpEnv>, { target }: HttpParts): Promise<Response> {
  const { task = '' } = c.req.param()
  const { run, supervisor } = c.req.query()
  const isSupervisor = supervisor !== undefined && supervisor !== 'false'
  const asked = { task, ...(run !== undefined && { run }), supervisor: isSupervisor }
  const { path } = await findLog(target.store, asked, target.options)
  const header = c.req.header('range')
  // The length is needed first, because a range may count from the end.
  const { end } = await readPiece(path, 0, 0)
  const range = readRange(header, end)
  if (range === null) return noSuchRange(end)
  const { from, to } = range
  const first = await readPiece(path, from, Math.min(PIECE, to - from))
  if (header === undefined) return new Response(bytesOf({ path, to, cutOff: cutOffOf(c) }, first), { headers: HEADERS })
  return partOf(path, first, to)
}

/** Sends one piece of the log, because the length of a partial response must be known. The client requests the rest. */
function partOf(path: string, { from, base64, end }: ReadLogPiece, to: number): Response {
  const bytes = Buffer.from(base64, 'base64').subarray(0, Math.max(0, to - from))
  if (bytes.length === 0) return noSuchRange(end)
  const range = contentRange({ from, to: from + bytes.length }, end)
  return new Response(bytes, { status: 206, headers: { ...HEADERS, 'content-range': range } })
}

const readPiece = (path: string, from: number, length: number): Promise<ReadLogPiece> =>
  callFileHelper('readLogPiece', { path, from, length })

/** Reads a piece only when the client takes it, so that a slow client does not fill the memory. */
function bytesOf(
  { path, to, cutOff }: { readonly path: string; readonly to: number; readonly cutOff: CutOff },
  first: ReadLogPiece,
): ReadableStream<Uint8Array> {
  let piece: ReadLogPiece | null = first
  let at = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= to) return controller.close()
        const next = piece ?? (await readPiece(path, at, Math.min(PIECE, to - at)).catch(() => null))
        if (next === null) return cutOff(controller)
        const { from, base64 } = next
        piece = null
        const bytes = Buffer.from(base64, 'base64')
        if (bytes.length === 0) return controller.close()
        if (from > at) controller.enqueue(Buffer.from(`\n[… ${from - at} bytes left out …]\n`))
        at = from + bytes.length
        controller.enqueue(bytes)
      },
    },
    { highWaterMark: 0 },
  )
}
