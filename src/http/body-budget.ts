/** Limits the memory for request bodies that arrive at the same time. */
import { BoardError } from '../core/errors.ts'

/** The maximum size of all bodies together: eight requests of the maximum size. A typical body has a few kilobytes. */
const MOST_BYTES = 64 * 1024 * 1024

export class BodyBudget {
  readonly #most: number
  #used = 0

  constructor(most = MOST_BYTES) {
    this.#most = most
  }

  /** Reads a body. A slow client's memory counts until the body is complete or the client disconnects. */
  async read(body: AsyncIterable<Uint8Array>, requireSmall: (length: number) => void): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    let length = 0
    try {
      for await (const piece of body) {
        length += piece.length
        this.#used += piece.length
        requireSmall(length)
        if (this.#used > this.#most) throw tooMany()
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    } finally {
      this.#used -= length
    }
  }
}

const tooMany = (): BoardError =>
  new BoardError('capped', 'The server is receiving too many large requests at once. Try again in a moment.')
