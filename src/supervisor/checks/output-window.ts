/** Keeps the beginning and the end of an output, in bounded memory. */
const HEAD_BYTES = 4 * 1024
const TAIL_BYTES = 12 * 1024

export class OutputWindow {
  readonly #headBytes: number
  readonly #tailBytes: number
  readonly #head: Buffer[] = []
  #headLength = 0
  #tail: Buffer[] = []
  #tailLength = 0
  leftOutBytes = 0

  constructor({ headBytes = HEAD_BYTES, tailBytes = TAIL_BYTES } = {}) {
    this.#headBytes = headBytes
    this.#tailBytes = tailBytes
  }

  add(chunk: Buffer): void {
    const room = this.#headBytes - this.#headLength
    const first = chunk.subarray(0, Math.max(0, room))
    if (first.length > 0) {
      this.#head.push(Buffer.from(first))
      this.#headLength += first.length
    }
    const rest = chunk.subarray(first.length)
    if (rest.length === 0) return
    this.#tail.push(rest)
    this.#tailLength += rest.length
    if (this.#tailLength > 2 * this.#tailBytes) this.#cutTail()
  }

  /** Copies the bytes to keep, because a view would keep the whole buffer in memory. */
  #cutTail(): void {
    const whole = Buffer.concat(this.#tail)
    const kept = Buffer.from(whole.subarray(Math.max(0, whole.length - this.#tailBytes)))
    this.leftOutBytes += whole.length - kept.length
    this.#tail = [kept]
    this.#tailLength = kept.length
  }

  /** Returns the output as text for the store. Invalid bytes are replaced, and NUL bytes are removed. */
  text(): string {
    this.#cutTail()
    const [head, tail] = [this.#head, this.#tail].map(textOf)
    return this.leftOutBytes === 0
      ? textOf([...this.#head, ...this.#tail])
      : `${head}\n[… ${this.leftOutBytes} bytes left out …]\n${tail}`
  }
}

const textOf = (chunks: readonly Buffer[]): string =>
  new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '')
