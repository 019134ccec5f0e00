/** Reads a stream to its end. A stream that never ends, such as `yes`, would use up the memory. */
import type { Readable } from 'node:stream'
import { BoardError } from '../core/errors.ts'

/** More than any text that Muster stores. */
const MOST_BYTES = 16 * 1024 * 1024

/** Throws if the stream is longer. `from` names it in the error. */
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
