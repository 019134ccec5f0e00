/** A range of bytes that a request asks for (RFC 9110). `to` is the position after the last byte. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * Parses the Range header. Returns null if the file has no byte in the range. A request for several ranges gets the
 * whole file, as the standard allows.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null) return { from: 0, to: size }
  const [, first = '', last = ''] = match
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1)
  return from < to ? { from, to } : null
}

export const noSuchRange = (size: number): Response =>
  new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}`, 'accept-ranges': 'bytes' } })

export const contentRange = ({ from, to }: ByteRange, size: number): string => `bytes ${from}-${to - 1}/${size}`
