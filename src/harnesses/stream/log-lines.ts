/** Splits a log into lines in bounded memory. The text of a line that is too long is dropped or cut. */
const NEWLINE = 10
/** The maximum length of a line. Longer lines are images or whole files. */
const LINE_BYTES = 4 * 1024 * 1024

export interface LogLine {
  /** The line without its newline. Null means that the line is too long. */
  readonly text: string | null
  /** Whether the beginning of the line is missing. */
  readonly isTorn: boolean
  /** The position of the line's first byte in all output, and the position after its newline. */
  readonly from: number
  readonly to: number
}

interface LinesOptions {
  /** Whether the first line may have started earlier. */
  readonly isTorn?: boolean
  readonly maxBytes?: number
  /** Whether a line that is too long keeps its beginning. */
  readonly keepsStart?: boolean
  /** The position of the first byte in all output. */
  readonly place?: number
}

export class LogLines {
  readonly #maxBytes: number
  readonly #keepsStart: boolean
  #parts: Uint8Array[] = []
  #length = 0
  #kept = 0
  #isTorn: boolean
  #place: number

  constructor({ isTorn = false, maxBytes = LINE_BYTES, keepsStart = false, place = 0 }: LinesOptions = {}) {
    this.#isTorn = isTorn
    this.#maxBytes = maxBytes
    this.#keepsStart = keepsStart
    this.#place = place
  }

  *take(bytes: Uint8Array): Generator<LogLine> {
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#add(bytes.subarray(from, end))
      yield this.#finish(1)
      from = end + 1
    }
    this.#add(bytes.subarray(from))
  }

  /** Drops the current line and marks the next line as torn. Call this method if bytes of the log are missing. */
  tear(omitted = 0): void {
    this.#finish(omitted)
    this.#isTorn = true
  }

  /** The last line, if it has no newline. */
  end(): LogLine | null {
    return this.#length === 0 ? null : this.#finish(0)
  }

  /** The last line as read so far, which may continue. */
  get open(): LogLine | null {
    return this.#length === 0 ? null : this.#line(this.#length)
  }

  #add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (this.#length > this.#maxBytes && !this.#keepsStart) {
      this.#parts = []
      return
    }
    const kept = bytes.subarray(0, this.#maxBytes - this.#kept)
    this.#kept += kept.length
    this.#parts.push(kept)
  }

  #line(bytes: number): LogLine {
    const isDropped = this.#length > this.#maxBytes && !this.#keepsStart
    const text = isDropped ? null : Buffer.concat(this.#parts).toString('utf8')
    return { text, isTorn: this.#isTorn, from: this.#place, to: this.#place + bytes }
  }

  #finish(after: number): LogLine {
    const line = this.#line(this.#length + after)
    this.#place = line.to
    this.#parts = []
    this.#length = 0
    this.#kept = 0
    this.#isTorn = false
    return line
  }
}
