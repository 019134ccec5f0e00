/** Splits a log into lines in bounded memory: the text of a line that is too long is dropped. */
const NEWLINE = 10
/** The maximum length of a line. Longer lines are images or whole files. */
const LINE_BYTES = 4 * 1024 * 1024

export interface LogLine {
  /** The line without its newline; null if the line is too long. */
  readonly text: string | null
  /** Whether the beginning of the line is missing. */
  readonly isTorn: boolean
}

export class LogLines {
  readonly #maxBytes: number
  #parts: Uint8Array[] = []
  #length = 0
  #isTorn: boolean

  /** `isTorn`: whether the first line may have started earlier. */
  constructor({ isTorn = false, maxBytes = LINE_BYTES } = {}) {
    this.#isTorn = isTorn
    this.#maxBytes = maxBytes
  }

  *take(bytes: Uint8Array): Generator<LogLine> {
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#add(bytes.subarray(from, end))
      yield this.#finish()
      from = end + 1
    }
    this.#add(bytes.subarray(from))
  }

  /** Must be called if bytes are missing. Drops the current line, and marks the next one as torn. */
  tear(): void {
    this.#finish()
    this.#isTorn = true
  }

  /** The last line, if it has no newline. */
  end(): LogLine | null {
    return this.#length === 0 ? null : this.#finish()
  }

  #add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (this.#length > this.#maxBytes) this.#parts = []
    else this.#parts.push(bytes)
  }

  #finish(): LogLine {
    const text = this.#length > this.#maxBytes ? null : Buffer.concat(this.#parts).toString('utf8')
    const line = { text, isTorn: this.#isTorn }
    this.#parts = []
    this.#length = 0
    this.#isTorn = false
    return line
  }
}
