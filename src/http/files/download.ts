/** Answers with the bytes of an attachment, or with a range of them (RFC 9110). */
import type { Context } from 'hono'
import type { Attachment } from '../../core/attachment.ts'
import { BoardError } from '../../core/errors.ts'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { HttpEnv, HttpParts } from '../parts.ts'

const PIECE = 1024 * 1024

/** Types that a browser shows without running anything. All other files are bytes. */
const SAFE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain', 'application/pdf'])

export async function download(
  c: Context<HttpEnv>,
  { target }: HttpParts,
  file: Pick<Attachment, 'board' | 'storedPath' | 'filename' | 'size' | 'sha256' | 'contentType'>,
): Promise<Response> {
  const { board, storedPath, size } = file
  const range = rangeOf(c.req.header('range'), size)
  if (range === null) return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } })
  const { from, to } = range
  const isPart = c.req.header('range') !== undefined
  const place = { home: target.options.home, board, storedPath }
  // A file that cannot be read is an error, so the first piece is read before the status is sent.
  const first = await readPiece(place, from, to)
  return new Response(piecesOf(place, first, { from, to }), {
    status: isPart ? 206 : 200,
    headers: {
      ...headersOf(file),
      'content-length': String(to - from),
      ...(isPart && { 'content-range': `bytes ${from}-${to - 1}/${size}` }),
    },
  })
}

function headersOf({
  filename,
  sha256,
  contentType,
}: Pick<Attachment, 'filename' | 'sha256' | 'contentType'>): Record<string, string> {
  const [type = ''] = (contentType ?? '').split(';')
  const isSafe = SAFE_TYPES.has(type.trim().toLowerCase())
  return {
    'content-type': isSafe ? type.trim().toLowerCase() : 'application/octet-stream',
    // A file of an agent may be a page with scripts, so no browser may show it as a page of this server.
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename).replaceAll(/['()*]/g, escapeByte)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag: `"${sha256}"`,
  }
}

const escapeByte = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Null if no byte of the file is in the range. Several ranges count as none, which the standard allows. */
function rangeOf(header: string | undefined, size: number): { from: number; to: number } | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null) return { from: 0, to: size }
  const [, first = '', last = ''] = match
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return from < to ? { from, to } : null
}

interface StoredPlace {
  readonly home: string
  readonly board: string
  readonly storedPath: string
}

async function readPiece(place: StoredPlace, from: number, to: number): Promise<Uint8Array> {
  if (from >= to) return new Uint8Array()
  const length = Math.min(PIECE, to - from)
  const bytes = Buffer.from(await callFileHelper('readAttachmentPiece', { ...place, from, length }), 'base64')
  if (bytes.length === 0) throw new BoardError('attachment_not_found', 'The file is shorter than when it was attached.')
  return bytes
}

/** Reads a piece only when the client takes it, so that a slow client does not fill the memory. */
function piecesOf(
  place: StoredPlace,
  first: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= to) return controller.close()
        const bytes = at === from ? first : await readPiece(place, at, to)
        at += bytes.length
        controller.enqueue(bytes)
      },
    },
    { highWaterMark: 0 },
  )
}
