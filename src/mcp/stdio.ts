import type { Readable, Writable } from 'node:stream'
import type { Client } from './serve.ts'

/** A client at the other end of two pipes. When it does not read any more, what is sent to it is lost, and no matter. */
export function clientAt(input: Readable, output: Writable, version: string): Client {
  output.on('error', () => input.destroy())
  return {
    input,
    version,
    send: (line) => new Promise((sent) => output.write(line, () => sent())),
  }
}
