/**
 * The client at the other end of standard input and output, straight on their descriptors: the streams that Node has
 * for them take 5 ms to load, a quarter of its own start. What a descriptor cannot do at once goes through the stream
 * after all, which waits.
 */
import { read, write } from 'node:fs'
import type { Client } from './serve.ts'

const CHUNK_BYTES = 64 * 1024
const INPUT = 0
const OUTPUT = 1

export function stdioClient(version: string): Client {
  let last: Promise<void> = Promise.resolve()
  return {
    input: readInput(),
    version,
    // One after the other: descriptors are written by several threads.
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

/** Null when somebody made it a descriptor that does not wait. What cannot be read, as of a lost terminal, is its end. */
const readSome = (room: Buffer): Promise<Buffer | null> =>
  new Promise((resolve) =>
    read(INPUT, room, 0, room.length, null, (error, length) =>
      resolve(error?.code === 'EAGAIN' ? null : room.subarray(0, error === null ? length : 0)),
    ),
  )

/** A client that does not read any more loses what is sent to it, and its input ends soon. */
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
