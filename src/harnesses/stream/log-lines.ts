/** A log, line by line, in bounded memory: of a line that is too long only its length is known. */
const NEWLINE = 10
/** Longer lines are pictures and whole files: nothing that can be read. */
const LINE_BYTES = 4 * 1024 * 1024

export interface LogLine {
  /** Without its end; null where it is too long. */
  readonly text: string | null
  /** Whether its beginning is missing. */
  readonly isTorn: boolean
}

export class LogLines {
  readonly #maxBytes: number
  #begun: Uint8Array[] = []
  #length = 0
  #isTorn: boolean

  /** `isTorn`: whether the first line may have begun before what is read. */
  constructor({ isTorn = false, maxBytes = LINE_BYTES } = {}) {
    this.#isTorn = isTorn
    this.#maxBytes = maxBytes
  }

  *take(bytes: Uint8Array): Generator<LogLine> {
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#add(bytes.subarray(from, end))
      yield this.#give()
      from = end + 1
    }
    this.#add(bytes.subarray(from))
  }

  /** What follows is not there any more: neither the end of this line nor the beginning of another. */
  tear(): void {
    this.#give()
    this.#isTorn = true
  }

  /** The line that was begun and never ended; null where there is none. */
  end(): LogLine | null {
    return this.#length === 0 ? null : this.#give()
  }

  #add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (this.#length > this.#maxBytes) this.#begun = []
    else this.#begun.push(bytes)
  }

  #give(): LogLine {
    const text = this.#length > this.#maxBytes ? null : Buffer.concat(this.#begun).toString('utf8')
    const line = { text, isTorn: this.#isTorn }
    this.#begun = []
    this.#length = 0
    this.#isTorn = false
    return line
  }
}
