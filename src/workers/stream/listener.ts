/**
 * Listens to what an agent prints during one turn: reads its log as it grows, and keeps what the board wants to know.
 * Nothing goes through us: an agent never waits for its listener, and a line that is too long or unknown is left alone.
 */
import { LogReader, logEnd } from '../read-log.ts'
import type { ReadLine } from './entry.ts'
import { NOTHING_HEARD, hear } from './heard.ts'
import type { Heard } from './heard.ts'

const LOOK_MS = 500
/** Longer lines are pictures and whole files: nothing that is listened for. */
const LINE_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

export interface Listening {
  /** Told with each thing that is heard. */
  readonly onHeard?: (heard: Heard) => void
  readonly lookMs?: number | undefined
}

export class Listener {
  readonly #log: string
  readonly #readLine: ReadLine
  readonly #onHeard: (heard: Heard) => void
  readonly #lookMs: number
  #reader: LogReader | null = null
  #begun: Uint8Array[] = []
  #length = 0
  #isTooLong = false
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()
  #heard: Heard = NOTHING_HEARD

  constructor(log: string, readLine: ReadLine, { onHeard = () => {}, lookMs = LOOK_MS }: Listening = {}) {
    this.#log = log
    this.#readLine = readLine
    this.#onHeard = onHeard
    this.#lookMs = lookMs
  }

  get heard(): Heard {
    return this.#heard
  }

  /** From here on: what an earlier turn printed is not heard again. */
  async begin(): Promise<void> {
    const { end } = await logEnd(this.#log)
    this.#reader = new LogReader(this.#log, end)
    this.#arm()
  }

  /** After the last byte: everything that was printed has been heard. */
  async end(): Promise<Heard> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await this.#looking
    await this.#look()
    if (this.#length > 0) this.#line(new Uint8Array())
    return this.#heard
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => {
        if (this.#timer !== null) this.#arm()
      })
    }, this.#lookMs)
    this.#timer.unref()
  }

  /** A disk that does not answer is looked at again later. */
  async #look(): Promise<void> {
    try {
      for (let piece = await this.#reader?.next(); piece != null; piece = await this.#reader?.next()) {
        if (piece.omitted > 0) this.#forget()
        this.#take(piece.bytes)
      }
    } catch {
      // Said above.
    }
  }

  #take(bytes: Uint8Array): void {
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#line(bytes.subarray(from, end))
      from = end + 1
    }
    const rest = bytes.subarray(from)
    this.#length += rest.length
    if (this.#length > LINE_BYTES) this.#isTooLong = true
    this.#begun = this.#isTooLong ? [] : [...this.#begun, rest]
  }

  #line(rest: Uint8Array): void {
    const line = this.#isTooLong ? null : Buffer.concat([...this.#begun, rest]).toString('utf8')
    this.#forget()
    if (line === null || line === '') return
    const entries = this.#readLine(line)
    if (entries.length === 0) return
    this.#heard = entries.reduce(hear, this.#heard)
    this.#onHeard(this.#heard)
  }

  #forget(): void {
    this.#begun = []
    this.#length = 0
    this.#isTooLong = false
  }
}
