/** Reads the output of a run from any position, while the agent writes the log and the supervisor cuts it. */
import { stat } from 'node:fs/promises'
import { open } from '../../util/guarded-files.ts'
import { isSameCut, locateInLog, readCut } from './log-cut.ts'
import type { LogCut } from './log-cut.ts'

const PIECE_BYTES = 64 * 1024
const NEWLINE = 10

export interface LogPiece {
  readonly bytes: Uint8Array
  /** The number of bytes that were cut before this piece. */
  readonly omitted: number
}

export type LogTail = { readonly lines: number } | { readonly bytes: number }

export class LogReader {
  readonly #path: string
  readonly #pieceBytes: number
  #place: number

  constructor(path: string, place = 0, pieceBytes = PIECE_BYTES) {
    this.#path = path
    this.#place = place
    this.#pieceBytes = pieceBytes
  }

  /** Reads the next piece. Null means that the log has no more output yet. */
  async next(): Promise<LogPiece | null> {
    for (;;) {
      const cut = await readCut(this.#path)
      if (cut !== null && this.#place >= cut.from && this.#place < cut.to) return this.#skip(cut)
      const bytes = await readPiece(this.#path, cut, this.#place, this.#pieceBytes)
      if (await this.#wasCut(cut, bytes.length)) continue
      this.#place += bytes.length
      return bytes.length === 0 ? null : { bytes, omitted: 0 }
    }
  }

  #skip({ to }: LogCut): LogPiece {
    const omitted = to - this.#place
    this.#place = to
    return { bytes: new Uint8Array(), omitted }
  }

  /**
   * Whether a cut may have removed the piece while the reader read it. In that case, the read returned zeros or
   * nothing.
   */
  async #wasCut(before: LogCut | null, length: number): Promise<boolean> {
    const now = await readCut(this.#path)
    if (now === null || isSameCut(before, now)) return false
    return length === 0 || (this.#place + length > now.from && this.#place < now.to)
  }
}

function readPiece(path: string, cut: LogCut | null, place: number, length = PIECE_BYTES): Promise<Buffer> {
  const { path: file, at, most } = locateInLog(path, cut, place)
  return readAt(file, at, Math.min(most, length))
}

/** The part of the output at the end that is completely on disk: from `first` to `end`, the length of all output. */
export interface LogEnd {
  readonly cut: LogCut | null
  readonly first: number
  readonly end: number
}

export async function logEnd(path: string): Promise<LogEnd> {
  const cut = await readCut(path)
  const size = (await stat(path).catch(() => null))?.size ?? 0
  return { cut, first: cut?.to ?? 0, end: size + (cut?.base ?? 0) }
}

/** The position at which the requested end begins. If the end contains a whole line, this is the start of a line. */
export async function tailPlace(path: string, tail: LogTail): Promise<number> {
  const log = await logEnd(path)
  if ('lines' in tail) return lineStart(path, log, tail.lines)
  const wanted = log.end - tail.bytes
  if (wanted <= log.first) return Math.max(0, wanted)
  const newline = (await readPiece(path, log.cut, wanted - 1)).indexOf(NEWLINE)
  return newline === -1 || wanted + newline >= log.end ? wanted : wanted + newline
}

/** Searches backwards from the end for the start of the last `lines` lines. */
async function lineStart(path: string, { cut, first, end }: LogEnd, lines: number): Promise<number> {
  if (lines === 0) return end
  let left = lines
  for (let to = end; to > first;) {
    const from = Math.max(first, startOfPiece(cut, to), to - PIECE_BYTES)
    const piece = await readPiece(path, cut, from, to - from)
    // The newline at the end of the file belongs to the last line, so it is skipped.
    let at = to === end ? piece.length - 1 : piece.length
    while (at > 0) {
      at = piece.lastIndexOf(NEWLINE, at - 1)
      if (at === -1) break
      left -= 1
      if (left === 0) return from + at + 1
    }
    to = from
  }
  return first
}

/** The earliest start of a piece that ends at `to`. A piece must be in one file. */
const startOfPiece = (cut: LogCut | null, to: number): number =>
  cut !== null && to > cut.to + cut.kept ? cut.to + cut.kept : 0

/** Reads up to `length` bytes of a file. The result is empty if the file does not exist. */
export async function readAt(path: string, at: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return Buffer.alloc(0)
  try {
    const buffer = Buffer.alloc(length)
    const { bytesRead } = await file.read(buffer, 0, length, at)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
