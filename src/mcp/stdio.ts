/**
 * Exchanges messages with the client over standard input and output. The descriptors are used directly: Node's streams
 * take 5 ms to load, a quarter of the start time. Only a non-blocking descriptor needs a stream.
 */
import { read, write } from 'node:fs'
import type { McpClient } from './serve.ts'

const CHUNK_BYTES = 64 * 1024
const INPUT = 0
const OUTPUT = 1

export function stdioClient(version: string): McpClient {
  let last: Promise<void> = Promise.resolve()
  return {
    input: readInput(),
    version,
    // Node writes to a descriptor on several threads, so each write must wait for the write before.
    send: (line) => (last = last.then(() => writeOutput(Buffer.from(line)))),
  }
}

async function* readInput(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = await readSome(Buffer.allocUnsafe(CHUNK_BYTES))
    if (chunk?.length === 0) return
    if (chunk === null) break
    yield chunk
  }
  yield* process.stdin as AsyncIterable<Uint8Array>
}

/**
 * Reads a part of the input. Returns null if the descriptor is non-blocking. A read error, such as a lost terminal,
 * counts as the end of the input.
 */
const readSome = (room: Buffer): Promise<Buffer | null> =>
  new Promise((resolve) =>
    read(INPUT, room, 0, room.length, null, (error, length) =>
      resolve(error?.code === 'EAGAIN' ? null : room.subarray(0, error === null ? length : 0)),
    ),
  )

/** Writes bytes. If the client stops reading, the rest is dropped, because such a client also closes the input. */
async function writeOutput(bytes: Buffer): Promise<void> {
  for (let left = bytes; left.length > 0;) {
    const written = await writeSome(left)
    if (written === null) return
    left = left.subarray(written)
  }
}

const writeSome = (bytes: Buffer): Promise<number | null> =>
  new Promise((resolve) =>
    write(OUTPUT, bytes, (error, written) => {
      if (error === null) resolve(written)
      else if (error.code === 'EAGAIN') process.stdout.write(bytes, () => resolve(bytes.length))
      else resolve(null)
    }),
  )
