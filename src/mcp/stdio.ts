/**
 * The client on standard input and output. It reads and writes the descriptors directly, because Node's streams take 5
 * ms to load, a quarter of the start time. Only a non-blocking descriptor needs the stream.
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
    // Node writes to a descriptor on several threads, so each write waits for the one before.
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

/** Null if the descriptor is non-blocking. A read error, such as a lost terminal, counts as the end. */
const readSome = (room: Buffer): Promise<Buffer | null> =>
  new Promise((resolve) =>
    read(INPUT, room, 0, room.length, null, (error, length) =>
      resolve(error?.code === 'EAGAIN' ? null : room.subarray(0, error === null ? length : 0)),
    ),
  )

/** If the client stops reading, the rest is dropped, because the client also closes the input soon. */
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
