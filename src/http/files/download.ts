/** Sends the bytes of an attachment, or a range of them (RFC 9110). */
import type { Context } from 'hono'
import type { Attachment } from '../../core/attachment.ts'
import { attachmentPiece } from '../../operations/attachments/attachment-pieces.ts'
import { cutOffOf } from '../cut-off.ts'
import type { CutOff } from '../cut-off.ts'
import type { HttpEnv, HttpParts } from '../parts.ts'
import { contentRange, noSuchRange, readRange } from './byte-range.ts'

/** The types that a browser displays without running any code. Files of other types are sent as plain bytes. */
const SAFE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain', 'application/pdf'])

export async function download(
  c: Context<HttpEnv>,
  { target }: HttpParts,
  file: Pick<Attachment, 'board' | 'storedPath' | 'filename' | 'size' | 'sha256' | 'contentType'>,
): Promise<Response> {
  const { board, storedPath, size } = file
  const header = rangeHeader(c, file)
  const range = readRange(header, size)
  if (range === null) return noSuchRange(size)
  const { from, to } = range
  const isPart = header !== undefined
  const place = { home: target.options.home, board, storedPath }
  // The first piece is read before the status is sent, so that a file that cannot be read gives an error status.
  const first = await attachmentPiece(place, from, to)
  return new Response(piecesOf({ ...place, cutOff: cutOffOf(c) }, first, { from, to }), {
    status: isPart ? 206 : 200,
    headers: {
      ...headersOf(file),
      'content-length': String(to - from),
      ...(isPart && { 'content-range': contentRange({ from, to }, size) }),
    },
  })
}

/**
 * Reads the Range header. If the client's If-Range names an older file, the client gets the whole new file instead of a
 * part.
 */
function rangeHeader({ req }: Context<HttpEnv>, { sha256 }: Pick<Attachment, 'sha256'>): string | undefined {
  const version = req.header('if-range')
  return version === undefined || version === `"${sha256}"` ? req.header('range') : undefined
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
    // A file of an agent may be a page with scripts. No browser may show it as a page of this server.
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename).replaceAll(/['()*]/g, escapeByte)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag: `"${sha256}"`,
  }
}

const escapeByte = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

interface StoredPlace {
  readonly home: string
  readonly board: string
  readonly storedPath: string
}

/** Reads a piece only when the client takes it, so that a slow client does not fill the memory. */
function piecesOf(
  { cutOff, ...place }: StoredPlace & { readonly cutOff: CutOff },
  first: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= to) return controller.close()
        const bytes = at === from ? first : await attachmentPiece(place, at, to).catch(() => null)
        if (bytes === null) return cutOff(controller)
        at += bytes.length
        controller.enqueue(bytes)
      },
    },
    { highWaterMark: 0 },
  )
}
