/**
 * Writes standard output and error directly to their descriptors, because Node's streams take 2 ms to load. If a write
 * would block, a stream is loaded, because a stream can wait. A closed reader (`muster list | head`) is not an error,
 * so only its listeners are called.
 */
import { writeSync } from 'node:fs'
import { BoardError } from '../../core/errors.ts'
import { systemReason } from '../../util/system-errors.ts'

export class Descriptor {
  readonly #number: 1 | 2
  readonly #streamOf: () => NodeJS.WriteStream
  #stream: NodeJS.WriteStream | null = null
  #isClosed = false
  readonly #listeners = new Set<() => void>()

  constructor(number: 1 | 2, streamOf: () => NodeJS.WriteStream) {
    this.#number = number
    this.#streamOf = streamOf
  }

  write(text: string): void {
    if (this.#isClosed) return
    if (this.#stream !== null) this.#stream.write(text)
    else this.#writeNow(Buffer.from(text))
  }

  onClosed(callback: () => void): () => void {
    this.#listeners.add(callback)
    return () => this.#listeners.delete(callback)
  }

  #writeNow(bytes: Buffer): void {
    try {
      for (let left = bytes; left.length > 0;) left = this.#writeSome(left)
    } catch (error) {
      this.#failed(error as NodeJS.ErrnoException)
    }
  }

  #writeSome(bytes: Buffer): Buffer {
    try {
      return bytes.subarray(writeSync(this.#number, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      this.#stream = this.#streamOf()
      this.#stream.on('error', (later: NodeJS.ErrnoException) => this.#failed(later))
      this.#stream.write(bytes)
      return Buffer.alloc(0)
    }
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (error.code !== 'EPIPE')
      throw new BoardError('output_failed', `Can't write output: ${systemReason(error)}.`, { cause: error })
    this.#isClosed = true
    for (const callback of this.#listeners) callback()
  }
}
