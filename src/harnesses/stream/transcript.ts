/**
 * Reads a log as the story of a run: pieces of it in, passages out, in bounded memory whatever was printed. Text that
 * is no line of the program's stream (a warning, the trace of a crash, the setup of a worktree) is told as it is.
 */
import type { LogPiece } from '../../runs/log/read-log.ts'
import type { Entry, ReadLine, Usage, UsageSpan } from './entry.ts'
import { addUsage } from './turn-summary.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import type { Passage } from './passage.ts'
import { UsageMeter } from './usage-meter.ts'

/** A message that comes in parts is told whole, unless it is longer than anyone reads. */
const MESSAGE_LENGTH = 64 * 1024

/** So many calls under way at once; of more, the oldest never comes back. */
const MOST_CALLS = 100

export interface Transcript {
  take(piece: LogPiece): readonly Passage[]
  /** After the last piece. */
  end(): readonly Passage[]
}

export interface Beginning {
  /** Whether it begins somewhere in the log, one byte before the first line that counts. */
  readonly midway?: boolean
}

/** Without `readLine` everything is text. */
export const makeTranscript = (readLine: ReadLine | null, { midway = false }: Beginning = {}): Transcript =>
  readLine === null ? new PlainText(midway) : new Story(readLine, midway)

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

class Story implements Transcript {
  readonly #readLine: ReadLine
  readonly #lines: LogLines
  #isFirst: boolean
  #turn = 0
  #session: string | null = null
  /** Whether the program has told how its turn ended. */
  #isOver = false
  /** The parts of a message that may go on. */
  #saying = ''
  /** Calls that are to change a file and have not come back, each with its file. */
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
      return isFirst ? [] : [...this.#pause(), { kind: 'omitted', bytes: omitted }]
    }
    return [...this.#lines.take(bytes)].flatMap((line) => this.#read(line))
  }

  end(): readonly Passage[] {
    const last = this.#lines.end()
    const lines = last === null ? [] : this.#read(last)
    const unknown: readonly Passage[] = this.#unknown === 0 ? [] : [{ kind: 'unknown', lines: this.#unknown }]
    this.#unknown = 0
    return [...lines, ...this.#pause(), ...this.#account(), ...unknown]
  }

  #read({ text, isTorn }: LogLine): readonly Passage[] {
    if (text === null) return this.#leaveOut()
    const entries = this.#readLine(text)
    if (entries.length > 0) return entries.flatMap((entry) => this.#tell(entry))
    // The rest of a line that is not whole any more is part of what is missing.
    if (isTorn) return []
    if (text.startsWith('{')) return this.#leaveOut()
    return [...this.#pause(), { kind: 'printed', text: `${text}\n` }]
  }

  #leaveOut(): readonly Passage[] {
    this.#unknown += 1
    return []
  }

  #tell(entry: Entry): readonly Passage[] {
    switch (entry.kind) {
      case 'session':
        return this.#beginTurn(entry.id)
      case 'said':
        if (entry.isContinuation !== true) return [...this.#pause(), { kind: 'said', text: entry.text }]
        this.#saying += entry.text
        return this.#saying.length > MESSAGE_LENGTH ? this.#pause() : []
      case 'called': {
        const { tool, input, changes } = entry
        if (changes !== undefined) this.#expect(changes)
        return [...this.#pause(), { kind: 'called', tool, input }]
      }
      case 'returned':
        return [...this.#pause(), ...this.#returned(entry)]
      case 'changed':
        return [...this.#pause(), entry]
      case 'usage':
        return this.#tellUsage(entry.usage, entry.of)
      case 'waits':
      case 'failed': {
        // When it may be tried again was reckoned from the moment of hearing: long after, that tells nothing.
        const { kind: cause, message } = entry.failure
        this.#isOver ||= entry.kind === 'failed'
        return [...this.#pause(), { kind: entry.kind, cause, message }]
      }
      default:
        return []
    }
  }

  #tellUsage(usage: Usage, span: UsageSpan): readonly Passage[] {
    if (span === 'step') {
      this.#used = addUsage(this.#used, usage)
      return []
    }
    this.#isOver = true
    const ofTurn = this.#meter.add({ session: this.#session, usage, usageOf: span }) ?? usage
    return [...this.#pause(), { kind: 'used', usage: ofTurn }]
  }

  /** Some programs name their session in every line: only what comes after the end of a turn begins another. */
  #beginTurn(session: string): readonly Passage[] {
    if (session === this.#session && !this.#isOver) return []
    this.#session = session
    this.#isOver = false
    this.#turn += 1
    return [...this.#pause(), ...this.#account(), { kind: 'turn', turn: this.#turn, session }]
  }

  #expect({ call, path }: { readonly call: string; readonly path: string }): void {
    this.#changing.set(call, path)
    const [oldest] = this.#changing.keys()
    if (this.#changing.size > MOST_CALLS && oldest !== undefined) this.#changing.delete(oldest)
  }

  /** A file has changed once the call that was to change it has come back well. */
  #returned({ ok, text, call }: Extract<Entry, { kind: 'returned' }>): readonly Passage[] {
    const path = call === undefined ? undefined : this.#changing.get(call)
    if (call !== undefined) this.#changing.delete(call)
    const returned: Passage = { kind: 'returned', ok, text }
    return ok && path !== undefined ? [returned, { kind: 'changed', path }] : [returned]
  }

  /** What was told bit by bit, as one sum. */
  #account(): readonly Passage[] {
    const usage = this.#used
    this.#used = null
    return usage === null ? [] : [{ kind: 'used', usage }]
  }

  /** What was being said has been said. */
  #pause(): readonly Passage[] {
    const text = this.#saying
    this.#saying = ''
    return text === '' ? [] : [{ kind: 'said', text }]
  }
}
