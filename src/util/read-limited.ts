/** Reads a stream up to a limit. A stream that never ends, such as the output of `yes`, would use up the memory. */
import type { Readable } from 'node:stream'
import { BoardError } from '../core/errors.ts'

/** The default limit in bytes, which is larger than any text that Muster stores. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Reads the stream. Throws an error if the stream is longer than `mostBytes`. The error describes the stream with the
 * text `from`.
 */
export async function readLimited(stream: Readable, from: string, mostBytes = MOST_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array)
    size += bytes.length
    if (size > mostBytes)
      throw new BoardError(
        'invalid_input',
        `${from} has more than ${mostBytes / 1024 / 1024} MiB: give a shorter text.`,
      )
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
