/** Reads a piece of a log by its position in all output of the run. Only the file helper runs this. */
import { LogReader, logEnd } from './read-log.ts'

export interface LogPlace {
  readonly path: string
  readonly from: number
  readonly length: number
}

/** The content as base64, because the file helper answers in JSON. */
export interface ReadLogPiece {
  /** The position of the first byte. This is later than the requested position if that part was dropped. */
  readonly from: number
  readonly base64: string
  /** The length of all output. */
  readonly end: number
}

export async function readLogPiece({ path, from, length }: LogPlace): Promise<ReadLogPiece> {
  const reader = new LogReader(path, from, length)
  const first = await reader.next()
  const omitted = first?.omitted ?? 0
  const piece = omitted > 0 ? await reader.next() : first
  const { end } = await logEnd(path)
  return { from: from + omitted, base64: Buffer.from(piece?.bytes ?? []).toString('base64'), end }
}
