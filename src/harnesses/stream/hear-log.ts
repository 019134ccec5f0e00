/** What an agent said, from its log, for those who did not listen to it: turn by turn, as its supervisor would have. */
import { beginsTurn } from '../../runs/log/log-note.ts'
import { LogReader } from '../../runs/log/read-log.ts'
import type { ReadLine } from './entry.ts'
import { NOTHING_HEARD, hear } from './heard.ts'
import type { Heard } from './heard.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import { UsageMeter } from './usage-meter.ts'

/** Of its last turn; what was spent is of all of them. A disk that fails hides what comes after. */
export async function hearLog(log: string, readLine: ReadLine): Promise<Heard> {
  const reader = new LogReader(log)
  const lines = new LogLines()
  const told = new Told(readLine)
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      if (piece.omitted > 0) lines.tear()
      for (const line of lines.take(piece.bytes)) told.take(line)
    }
  } catch {
    // Said above.
  }
  const last = lines.end()
  if (last !== null) told.take(last)
  return told.heard
}

class Told {
  readonly #readLine: ReadLine
  #turn: Heard = NOTHING_HEARD
  readonly #meter = new UsageMeter()
  #said: string | null = null

  constructor(readLine: ReadLine) {
    this.#readLine = readLine
  }

  get heard(): Heard {
    return { ...this.#turn, usage: this.#meter.spentWith(this.#turn), said: this.#turn.said ?? this.#said }
  }

  take({ text, isTorn }: LogLine): void {
    if (text === null || isTorn) return
    if (beginsTurn(text)) this.#begin()
    else this.#turn = this.#readLine(text).reduce(hear, this.#turn)
  }

  #begin(): void {
    this.#meter.add(this.#turn)
    this.#said = this.#turn.said ?? this.#said
    this.#turn = NOTHING_HEARD
  }
}
