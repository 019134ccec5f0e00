/** Summarizes the log of a run whose supervisor is gone, as the supervisor would have done. */
import { beginsTurn } from '../../runs/log/log-note.ts'
import { LogReader } from '../../runs/log/read-log.ts'
import type { ReadLine } from './entry.ts'
import { EMPTY_SUMMARY, addEntry } from './turn-summary.ts'
import type { TurnSummary } from './turn-summary.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import { UsageMeter } from './usage-meter.ts'

/** Returns the summary of the last turn, with the usage of all turns. A read error ends the summary early. */
export async function summarizeLog(log: string, readLine: ReadLine): Promise<TurnSummary> {
  const reader = new LogReader(log)
  const lines = new LogLines()
  const summary = new LogSummary(readLine)
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      if (piece.omitted > 0) lines.tear()
      for (const line of lines.take(piece.bytes)) summary.take(line)
    }
  } catch {
    // After a read error, the part of the log before the error is still useful.
  }
  const last = lines.end()
  if (last !== null) summary.take(last)
  return summary.whole
}

class LogSummary {
  readonly #readLine: ReadLine
  #turn: TurnSummary = EMPTY_SUMMARY
  readonly #meter = new UsageMeter()
  #lastMessage: string | null = null

  constructor(readLine: ReadLine) {
    this.#readLine = readLine
  }

  get whole(): TurnSummary {
    return {
      ...this.#turn,
      usage: this.#meter.spentWith(this.#turn),
      lastMessage: this.#turn.lastMessage ?? this.#lastMessage,
    }
  }

  take({ text, isTorn }: LogLine): void {
    if (text === null || isTorn) return
    if (beginsTurn(text)) this.#begin()
    else this.#turn = this.#readLine(text).reduce(addEntry, this.#turn)
  }

  #begin(): void {
    this.#meter.add(this.#turn)
    this.#lastMessage = this.#turn.lastMessage ?? this.#lastMessage
    this.#turn = EMPTY_SUMMARY
  }
}
