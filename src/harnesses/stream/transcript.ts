/**
 * Turns pieces of a log into the passages of a readable transcript, in bounded memory. Text outside the program's
 * stream, such as a warning, a stack trace or the setup of a worktree, is passed on unchanged.
 */
import type { LogPiece } from '../../runs/log/read-log.ts'
import { NOTE_PREFIX } from '../../runs/log/log-note.ts'
import type { Entry, ReadLine, Usage, UsageSpan } from './entry.ts'
import { addUsage } from './turn-summary.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import type { Passage, PlacedPassage } from './passage.ts'
import { UsageMeter } from './usage-meter.ts'

/** The maximum length of a message that is joined from parts. */
const MESSAGE_LENGTH = 64 * 1024

/** The maximum number of open calls to remember. When this number is exceeded, the oldest call is forgotten. */
const MOST_CALLS = 100

export interface Transcript {
  take(piece: LogPiece): readonly Passage[]
  /** Returns the remaining passages after the last piece. */
  end(): readonly Passage[]
}

interface TranscriptOptions {
  /** Whether reading starts in the middle of the log, one byte before the first line to show. */
  readonly midway?: boolean
}

/** If `readLine` is null, the whole log is treated as plain text. */
export const makeTranscript = (readLine: ReadLine | null, { midway = false }: TranscriptOptions = {}): Transcript =>
  readLine === null ? new PlainText(midway) : new StreamTranscript(readLine, { midway })

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

/** The transcript of a program with a stream of its own. The transcript has the position of each passage. */
export class StreamTranscript implements Transcript {
  readonly #readLine: ReadLine
  readonly #lines: LogLines
  #isFirst: boolean
  #turn = 0
  #session: string | null = null
  /** Whether the program has reported the end of its turn. */
  #isOver = false
  /** The parts of a message that may continue, and their position. */
  #openMessage: { text: string; readonly from: number; to: number } | null = null
  /** Open calls that change a file, each with its path. */
  readonly #changing = new Map<string, string>()
  #used: Usage | null = null
  readonly #meter = new UsageMeter()
  #unknown = 0
  /** The position of the line that is being read. */
  #line: Pick<LogLine, 'from' | 'to'> = { from: 0, to: 0 }

  constructor(readLine: ReadLine, { midway = false, place = 0 }: TranscriptOptions & { readonly place?: number } = {}) {
    this.#readLine = readLine
    this.#lines = new LogLines({ isTorn: midway, place })
    this.#isFirst = midway
  }

  take(piece: LogPiece): readonly Passage[] {
    return this.takePlaced(piece).map(({ passage }) => passage)
  }

  end(): readonly Passage[] {
    return this.endPlaced().map(({ passage }) => passage)
  }

  takePlaced({ bytes, omitted }: LogPiece): readonly PlacedPassage[] {
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (omitted > 0) {
      this.#lines.tear(omitted)
      return isFirst ? [] : [...this.#endMessage(), this.#placed({ kind: 'omitted', bytes: omitted })]
    }
    return [...this.#lines.take(bytes)].flatMap((line) => this.#read(line))
  }

  endPlaced(): readonly PlacedPassage[] {
    const last = this.#lines.end()
    const lines = last === null ? [] : this.#read(last)
    const unknown = this.#unknown === 0 ? [] : [this.#placed({ kind: 'unknown', lines: this.#unknown })]
    this.#unknown = 0
    return [...lines, ...this.#endMessage(), ...this.#account(), ...unknown]
  }

  #placed(passage: Passage): PlacedPassage {
    return { passage, from: this.#line.from, to: this.#line.to }
  }

  #read(line: LogLine): readonly PlacedPassage[] {
    const { text, isTorn } = line
    this.#line = line
    if (text === null) return this.#leaveOut()
    const entries = this.#readLine(text)
    if (entries.length > 0) return entries.flatMap((entry) => this.#passagesOf(entry))
    // A torn line is incomplete, so it is left out.
    if (isTorn) return []
    if (text.startsWith('{')) return this.#leaveOut()
    const isNote = text.startsWith(NOTE_PREFIX)
    return this.#after({ kind: 'printed', text: `${text}\n`, ...(isNote ? {} : { aside: true }) })
  }

  #leaveOut(): readonly PlacedPassage[] {
    this.#unknown += 1
    return []
  }

  /** Returns passages, preceded by the message that they end. */
  #after(...passages: readonly Passage[]): readonly PlacedPassage[] {
    return [...this.#endMessage(), ...passages.map((passage) => this.#placed(passage))]
  }

  #passagesOf(entry: Entry): readonly PlacedPassage[] {
    switch (entry.kind) {
      case 'session':
        return this.#beginTurn(entry.id)
      case 'said':
        return entry.isContinuation === true
          ? this.#continueMessage(entry.text)
          : this.#after({ kind: 'said', text: entry.text })
      case 'called': {
        const { tool, input, call, changes } = entry
        if (changes !== undefined) this.#expect(changes)
        return this.#after({ kind: 'called', tool, input, ...(call === undefined ? {} : { call }) })
      }
      case 'returned':
        return this.#after(...this.#returned(entry))
      case 'changed': {
        const { path, edit } = entry
        return this.#after({ kind: 'changed', path, ...(edit === undefined ? {} : { edit }) })
      }
      case 'usage':
        return this.#addUsage(entry.usage, entry.of)
      case 'waits':
      case 'failed': {
        // The transcript leaves out the retry time, because this time may be relative to the time of reading.
        const { kind: cause, message } = entry.failure
        this.#isOver ||= entry.kind === 'failed'
        return this.#after({ kind: entry.kind, cause, message })
      }
      default:
        return []
    }
  }

  #continueMessage(text: string): readonly PlacedPassage[] {
    const { from, to } = this.#line
    this.#openMessage ??= { text: '', from, to }
    this.#openMessage.text += text
    this.#openMessage.to = to
    return this.#openMessage.text.length > MESSAGE_LENGTH ? this.#endMessage() : []
  }

  #addUsage(usage: Usage, span: UsageSpan): readonly PlacedPassage[] {
    if (span === 'step') {
      this.#used = addUsage(this.#used, usage)
      return []
    }
    this.#isOver = true
    const ofTurn = this.#meter.add({ session: this.#session, usage, usageOf: span }) ?? usage
    return this.#after({ kind: 'used', usage: ofTurn })
  }

  /** Some programs name the session in every line. So a new turn begins only after the end of the last turn. */
  #beginTurn(session: string): readonly PlacedPassage[] {
    if (session === this.#session && !this.#isOver) return []
    this.#session = session
    this.#isOver = false
    this.#turn += 1
    const turn = this.#placed({ kind: 'turn', turn: this.#turn, session })
    return [...this.#endMessage(), ...this.#account(), turn]
  }

  #expect({ call, path }: { readonly call: string; readonly path: string }): void {
    this.#changing.set(call, path)
    const [oldest] = this.#changing.keys()
    if (this.#changing.size > MOST_CALLS && oldest !== undefined) this.#changing.delete(oldest)
  }

  /** Reports the changed file when a call has succeeded. */
  #returned({ ok, text, call, exitCode }: Extract<Entry, { kind: 'returned' }>): readonly Passage[] {
    const path = call === undefined ? undefined : this.#changing.get(call)
    if (call !== undefined) this.#changing.delete(call)
    const returned: Passage = {
      kind: 'returned',
      ok,
      text,
      ...(call === undefined ? {} : { call }),
      ...(exitCode === undefined ? {} : { exitCode }),
    }
    return ok && path !== undefined ? [returned, { kind: 'changed', path }] : [returned]
  }

  /** Returns the sum of the usage that was reported step by step, and resets the sum. */
  #account(): readonly PlacedPassage[] {
    const usage = this.#used
    this.#used = null
    return usage === null ? [] : [this.#placed({ kind: 'used', usage })]
  }

  #endMessage(): readonly PlacedPassage[] {
    const message = this.#openMessage
    this.#openMessage = null
    if (message === null || message.text === '') return []
    const { text, from, to } = message
    return [{ passage: { kind: 'said', text }, from, to }]
  }
}
