/**
 * Listens to what an agent prints during one turn: reads its log as it grows, and keeps what the board wants to know.
 * Nothing goes through us: an agent never waits for its listener, and a line that is too long or unknown is left alone.
 */
import { LogReader, logEnd } from '../read-log.ts'
import type { Entry, Failure, ReadLine, Usage } from './entry.ts'

const LOOK_MS = 500
/** Longer lines are pictures and whole files: nothing that is listened for. */
const LINE_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

const NOTHING: Usage = { inputTokens: null, outputTokens: null, costUsd: null }

export interface Heard {
  readonly session: string | null
  /** Of this turn. */
  readonly usage: Usage | null
  /** What ended it, as its program said last. */
  readonly failure: Failure | null
  /** The limit that it waits out by itself, as long as nothing else has come since. */
  readonly waits: Failure | null
  readonly hasAnswered: boolean
  /** The agent's last words. */
  readonly said: string | null
  /** Whether they may still go on. */
  readonly isSpeaking: boolean
}

const NOTHING_HEARD: Heard = {
  session: null,
  usage: null,
  failure: null,
  waits: null,
  hasAnswered: false,
  said: null,
  isSpeaking: false,
}

/** Of what is said in many pieces: the end of it is what matters. */
const SAID_LENGTH = 16_384

export interface Listening {
  /** Told with each thing that is heard. */
  readonly onHeard?: (heard: Heard) => void
  readonly lookMs?: number
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
    for (const entry of entries) this.#heard = hear(this.#heard, entry)
    this.#onHeard(this.#heard)
  }

  #forget(): void {
    this.#begun = []
    this.#length = 0
    this.#isTooLong = false
  }
}

function hear(before: Heard, entry: Entry): Heard {
  switch (entry.kind) {
    case 'session':
      return { ...before, session: entry.id }
    case 'said':
      return { ...before, waits: null, hasAnswered: true, said: words(before, entry), isSpeaking: true }
    case 'answers':
    case 'called':
      return { ...before, waits: null, hasAnswered: true, isSpeaking: false }
    case 'returned':
    case 'changed':
      return { ...before, waits: null }
    case 'usage':
      return { ...before, usage: entry.whole ? entry.usage : addUsage(before.usage, entry.usage) }
    case 'waits':
      return { ...before, waits: entry.failure }
    case 'failed':
      return { ...before, waits: null, failure: entry.failure }
  }
}

const words = ({ said, isSpeaking }: Heard, { text, goesOn = false }: Extract<Entry, { kind: 'said' }>): string =>
  (goesOn && isSpeaking ? `${said}${text}` : text).slice(-SAID_LENGTH)

/** What is not known stays unknown; what is known of one of them counts. */
export function addUsage(one: Usage | null, other: Usage | null): Usage {
  const a = one ?? NOTHING
  const b = other ?? NOTHING
  const add = (x: number | null, y: number | null): number | null => (x === null ? y : y === null ? x : x + y)
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    costUsd: add(a.costUsd, b.costUsd),
  }
}
