/** Reads lines of a log whose positions are known. */
import { LogReader } from './read-log.ts'

/** The beginning of a line. `isWhole` is true if this beginning is the whole line. */
export interface LineStart {
  readonly text: string
  readonly isWhole: boolean
}

interface LinesWanted {
  /** The positions at which the lines begin, ascending. */
  readonly starts: readonly number[]
  /** The most bytes of a line. */
  readonly lineBytes: number
}

const NEWLINE = 10
/** Lines that are less than this number of bytes apart are read together. */
const TOGETHER_BYTES = 256 * 1024

export async function readLinesAt(log: string, { starts, lineBytes }: LinesWanted): Promise<readonly LineStart[]> {
  const lines: LineStart[] = []
  for (let at = 0; at < starts.length;) {
    const from = starts[at] ?? 0
    const later = starts.findIndex((start, index) => index > at && start - from > TOGETHER_BYTES)
    const group = starts.slice(at, later === -1 ? undefined : later)
    const bytes = await readBytesAt(log, from, (group.at(-1) ?? from) - from + lineBytes)
    for (const start of group) lines.push(lineIn(bytes.subarray(start - from), lineBytes))
    at += group.length
  }
  return lines
}

function lineIn(bytes: Buffer, lineBytes: number): LineStart {
  const end = bytes.subarray(0, lineBytes).indexOf(NEWLINE)
  const isWhole = end !== -1 || bytes.length < lineBytes
  const text = bytes.subarray(0, end === -1 ? lineBytes : end).toString('utf8')
  return { text: isWhole ? text.replace(/\r$/, '') : text.replace(/\uFFFD$/, ''), isWhole }
}

/** Reads up to `length` bytes of the output. The result is shorter at the end of the log, and before a dropped part. */
export async function readBytesAt(log: string, from: number, length: number): Promise<Buffer> {
  const reader = new LogReader(log, from, Math.min(length, 1024 * 1024))
  const pieces: Uint8Array[] = []
  for (let left = length; left > 0;) {
    const piece = await reader.next()
    if (piece === null || piece.omitted > 0) break
    pieces.push(piece.bytes.subarray(0, left))
    left -= piece.bytes.length
  }
  return Buffer.concat(pieces)
}
