/**
 * Follows the log of one turn while the agent writes it, and keeps a summary. The agent writes directly to the file, so
 * it never waits for this reader.
 */
import { LogReader, logEnd } from '../../runs/log/read-log.ts'
import type { ReadLine } from './entry.ts'
import { EMPTY_SUMMARY, addEntry } from './turn-summary.ts'
import type { TurnSummary } from './turn-summary.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'

const LOOK_MS = 500

export interface FollowOptions {
  readonly onChange?: (summary: TurnSummary) => void
  readonly lookMs?: number | undefined
}

export class LogFollower {
  readonly #log: string
  readonly #readLine: ReadLine
  readonly #onChange: (summary: TurnSummary) => void
  readonly #lookMs: number
  readonly #lines = new LogLines()
  #reader: LogReader | null = null
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()
  #summary: TurnSummary = EMPTY_SUMMARY

  constructor(log: string, readLine: ReadLine, { onChange = () => {}, lookMs = LOOK_MS }: FollowOptions = {}) {
    this.#log = log
    this.#readLine = readLine
    this.#onChange = onChange
    this.#lookMs = lookMs
  }

  get summary(): TurnSummary {
    return this.#summary
  }

  /** Starts at the current end of the log, so that earlier turns are not read again. */
  async begin(): Promise<void> {
    const { end } = await logEnd(this.#log)
    this.#reader = new LogReader(this.#log, end)
    this.#arm()
  }

  /** Reads the rest of the log and stops. Call this method after the agent has exited. */
  async end(): Promise<TurnSummary> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await this.#looking
    await this.#look()
    const last = this.#lines.end()
    if (last !== null) this.#addLine(last)
    return this.#summary
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => {
        if (this.#timer !== null) this.#arm()
      })
    }, this.#lookMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    try {
      for (let piece = await this.#reader?.next(); piece != null; piece = await this.#reader?.next()) {
        if (piece.omitted > 0) this.#lines.tear()
        for (const line of this.#lines.take(piece.bytes)) this.#addLine(line)
      }
    } catch {
      // A read error is ignored, because the next poll tries again.
    }
  }

  /** A line without its beginning could be misread, so it is skipped. */
  #addLine({ text, isTorn }: LogLine): void {
    const entries = text === null || isTorn ? [] : this.#readLine(text)
    if (entries.length === 0) return
    this.#summary = entries.reduce(addEntry, this.#summary)
    this.#onChange(this.#summary)
  }
}
