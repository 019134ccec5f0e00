/**
 * Turns pieces of a log into the passages of a readable transcript, in bounded memory. Text outside the program's stream,
 * such as a warning, a stack trace or the setup of a worktree, is passed on unchanged.
 */
import type { LogPiece } from '../../runs/log/read-log.ts'
import { NOTE_PREFIX } from '../../runs/log/log-note.ts'
import type { Entry, ReadLine, Usage, UsageSpan } from './entry.ts'
import { addUsage } from './turn-summary.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import type { Passage } from './passage.ts'
import { UsageMeter } from './usage-meter.ts'

/** The parts of a message are joined up to this length. */
const MESSAGE_LENGTH = 64 * 1024

/** How many open calls to remember. Beyond that, the oldest is dropped. */
const MOST_CALLS = 100

export interface Transcript {
  take(piece: LogPiece): readonly Passage[]
  /** Must be called after the last piece. */
  end(): readonly Passage[]
}

export interface TranscriptOptions {
  /** Whether reading starts inside the log, one byte before the first line to show. */
  readonly midway?: boolean
}

/** Without `readLine` everything is text. */
export const makeTranscript = (readLine: ReadLine | null, { midway = false }: TranscriptOptions = {}): Transcript =>
  readLine === null ? new PlainText(midway) : new StreamTranscript(readLine, midway)

class PlainText implements Transcript {
  #decoder = newDecoder()
  #skips: boolean

  constructor(midway: boolean) {
    this.#skips = midway
  }

  take({ bytes, omitted }: LogPiece): readonly Passage[] {
    const skips = this.#skips
    this.#skips = false
    if (omitted > 0) return skips ? [] : [...this.end(), { kind: 'omitted', bytes: omitted }]
    return printed(this.#decoder.decode(skips ? bytes.subarray(1) : bytes, { stream: true }))
  }

  end(): readonly Passage[] {
    const rest = this.#decoder.decode()
    this.#decoder = newDecoder()
    return printed(rest)
  }
}

const newDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true })

const printed = (text: string): readonly Passage[] => (text === '' ? [] : [{ kind: 'printed', text }])

class StreamTranscript implements Transcript {
  readonly #readLine: ReadLine
  readonly #lines: LogLines
  #isFirst: boolean
  #turn = 0
  #session: string | null = null
  /** Whether the program has reported the end of its turn. */
  #isOver = false
  /** The parts of a message that may continue. */
  #openMessage = ''
  /** Open calls that change a file, each with its path. */
  readonly #changing = new Map<string, string>()
  #used: Usage | null = null
  readonly #meter = new UsageMeter()
  #unknown = 0

  constructor(readLine: ReadLine, midway: boolean) {
    this.#readLine = readLine
    this.#lines = new LogLines({ isTorn: midway })
    this.#isFirst = midway
  }

  take({ bytes, omitted }: LogPiece): readonly Passage[] {
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (omitted > 0) {
      this.#lines.tear()
      return isFirst ? [] : [...this.#endMessage(), { kind: 'omitted', bytes: omitted }]
    }
    return [...this.#lines.take(bytes)].flatMap((line) => this.#read(line))
  }

  end(): readonly Passage[] {
    const last = this.#lines.end()
    const lines = last === null ? [] : this.#read(last)
    const unknown: readonly Passage[] = this.#unknown === 0 ? [] : [{ kind: 'unknown', lines: this.#unknown }]
    this.#unknown = 0
    return [...lines, ...this.#endMessage(), ...this.#account(), ...unknown]
  }

  #read({ text, isTorn }: LogLine): readonly Passage[] {
    if (text === null) return this.#leaveOut()
    const entries = this.#readLine(text)
    if (entries.length > 0) return entries.flatMap((entry) => this.#passagesOf(entry))
    // A torn line is incomplete, so it is left out like the missing bytes before it.
    if (isTorn) return []
    if (text.startsWith('{')) return this.#leaveOut()
    const isNote = text.startsWith(NOTE_PREFIX)
    return [...this.#endMessage(), { kind: 'printed', text: `${text}\n`, ...(isNote ? {} : { aside: true }) }]
  }

  #leaveOut(): readonly Passage[] {
    this.#unknown += 1
    return []
  }

  #passagesOf(entry: Entry): readonly Passage[] {
    switch (entry.kind) {
      case 'session':
        return this.#beginTurn(entry.id)
      case 'said':
        if (entry.isContinuation !== true) return [...this.#endMessage(), { kind: 'said', text: entry.text }]
        this.#openMessage += entry.text
        return this.#openMessage.length > MESSAGE_LENGTH ? this.#endMessage() : []
      case 'called': {
        const { tool, input, changes } = entry
        if (changes !== undefined) this.#expect(changes)
        return [...this.#endMessage(), { kind: 'called', tool, input }]
      }
      case 'returned':
        return [...this.#endMessage(), ...this.#returned(entry)]
      case 'changed':
        return [...this.#endMessage(), entry]
      case 'usage':
        return this.#addUsage(entry.usage, entry.of)
      case 'waits':
      case 'failed': {
        // A retry time may be relative to the time of reading, so it is left out.
        const { kind: cause, message } = entry.failure
        this.#isOver ||= entry.kind === 'failed'
        return [...this.#endMessage(), { kind: entry.kind, cause, message }]
      }
      default:
        return []
    }
  }

  #addUsage(usage: Usage, span: UsageSpan): readonly Passage[] {
    if (span === 'step') {
      this.#used = addUsage(this.#used, usage)
      return []
    }
    this.#isOver = true
    const ofTurn = this.#meter.add({ session: this.#session, usage, usageOf: span }) ?? usage
    return [...this.#endMessage(), { kind: 'used', usage: ofTurn }]
  }

  /** Some programs name the session in every line, so a new turn begins only after the end of the turn before. */
  #beginTurn(session: string): readonly Passage[] {
    if (session === this.#session && !this.#isOver) return []
    this.#session = session
    this.#isOver = false
    this.#turn += 1
    return [...this.#endMessage(), ...this.#account(), { kind: 'turn', turn: this.#turn, session }]
  }

  #expect({ call, path }: { readonly call: string; readonly path: string }): void {
    this.#changing.set(call, path)
    const [oldest] = this.#changing.keys()
    if (this.#changing.size > MOST_CALLS && oldest !== undefined) this.#changing.delete(oldest)
  }

  /** A file counts as changed once its call has succeeded. */
  #returned({ ok, text, call }: Extract<Entry, { kind: 'returned' }>): readonly Passage[] {
    const path = call === undefined ? undefined : this.#changing.get(call)
    if (call !== undefined) this.#changing.delete(call)
    const returned: Passage = { kind: 'returned', ok, text }
    return ok && path !== undefined ? [returned, { kind: 'changed', path }] : [returned]
  }

  /** Returns the sum of the usage that was reported step by step, and resets it. */
  #account(): readonly Passage[] {
    const usage = this.#used
    this.#used = null
    return usage === null ? [] : [{ kind: 'used', usage }]
  }

  #endMessage(): readonly Passage[] {
    const text = this.#openMessage
    this.#openMessage = ''
    return text === '' ? [] : [{ kind: 'said', text }]
  }
}
