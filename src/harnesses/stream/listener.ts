/**
 * Listens to what an agent prints during one turn: reads its log as it grows, and keeps what the board wants to know.
 * Nothing goes through us: an agent never waits for its listener, and a line that is too long or unknown is left alone.
 */
import { LogReader, logEnd } from '../../runs/log/read-log.ts'
import type { ReadLine } from './entry.ts'
import { NOTHING_HEARD, hear } from './heard.ts'
import type { Heard } from './heard.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'

const LOOK_MS = 500

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
  readonly #lines = new LogLines()
  #reader: LogReader | null = null
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
    const last = this.#lines.end()
    if (last !== null) this.#hear(last)
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
        if (piece.omitted > 0) this.#lines.tear()
        for (const line of this.#lines.take(piece.bytes)) this.#hear(line)
      }
    } catch {
      // Said above.
    }
  }

  /** What is left of a line that was cut may say anything. */
  #hear({ text, isTorn }: LogLine): void {
    const entries = text === null || isTorn ? [] : this.#readLine(text)
    if (entries.length === 0) return
    this.#heard = entries.reduce(hear, this.#heard)
    this.#onHeard(this.#heard)
  }
}
