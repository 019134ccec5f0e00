/**
 * The rows of a transcript. A call with its result is one row, and long texts are excerpts. A call without a result, or
 * a line without a newline, is an open row, which may still change. The events of the run are between the rows, sorted
 * by time.
 */
import type { BoardEvent } from '../../core/event.ts'
import { beginsTurn, NOTE_PREFIX } from '../../runs/log/log-note.ts'
import type { LogPiece } from '../../runs/log/read-log.ts'
import { editOfCall, showEdits } from './edit-of-call.ts'
import type { ShownEdit } from './edit-of-call.ts'
import type { Failure, ReadLine, Usage } from './entry.ts'
import { LogLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import type { Passage, PlacedPassage } from './passage.ts'
import { inputDetail, inputText } from './passage-text.ts'
import { withoutChatter } from './quiet-transcript.ts'
import type { CALL_STATES, RowPart, ToolAction } from './row-kinds.ts'
import { excerptOf } from './telling-lines.ts'
import type { Excerpt } from './telling-lines.ts'
import { toolAction } from './tool-action.ts'
import { toolName } from './tool-name.ts'
import { StreamTranscript } from './transcript.ts'

export interface CallContent {
  readonly kind: 'call'
  readonly tool: string
  readonly action: ToolAction
  readonly title: string
  /** The state of the call. `cut` means that the run ended before the result. */
  readonly state: (typeof CALL_STATES)[number]
  readonly endedAt: number | null
  readonly exitCode: number | null
  /** The input. Null means that the title shows the whole input. */
  readonly input: Excerpt | null
  readonly output: Excerpt | null
  readonly edit: ShownEdit | null
}

export type RowContent =
  | CallContent
  | { readonly kind: 'said'; readonly text: Excerpt }
  /** A line that the program printed. `aside` is true if the line is outside the program's stream. */
  | { readonly kind: 'output'; readonly text: Excerpt; readonly aside: boolean }
  | { readonly kind: 'changed'; readonly path: string; readonly edit: ShownEdit | null }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'used'; readonly usage: Usage }
  | { readonly kind: 'waits' | 'failed'; readonly cause: Failure['kind']; readonly message: string }
  | { readonly kind: 'omitted'; readonly bytes: number }
  | { readonly kind: 'hidden'; readonly lines: number }
  | { readonly kind: 'event'; readonly event: BoardEvent }

/**
 * The place of a text in the log: the lines, and the number of the passage among the passages of its kind in these
 * lines.
 */
export interface TextPlace {
  readonly from: number
  readonly to: number
  readonly kind: Passage['kind']
  readonly nth: number
}

/** A text of a row: the text itself if it is short, otherwise its place. */
export type RowText = string | TextPlace

/**
 * A row, or the position of a line of plain text. A plain log may have a million lines, so only their positions are in
 * memory.
 */
export type StoredRow = Row | number

export interface Row {
  /** The time at which the row was written. Null means that no time was noted. */
  readonly at: number | null
  readonly content: RowContent
  readonly texts: Readonly<Partial<Record<RowPart, RowText>>>
}

interface RowsOptions {
  /** The parser of the log. Null means that the log is plain text. */
  readonly readLine: ReadLine | null
  readonly timeOf: (place: number) => number | null
  /** Whether notes of Muster are treated like other lines. */
  readonly isRaw?: boolean
}

/** The maximum length of a text in memory. Longer texts are read again from the log. */
const KEPT_LENGTH = 4_096
const MESSAGE_LENGTH = 16_384
/** The number of bytes of a plain line that are searched for a note of Muster. */
const PLAIN_LINE_BYTES = 512

interface OpenCall {
  readonly at: number
  readonly call: string | undefined
}

export class TranscriptRows {
  readonly rows: StoredRow[] = []
  readonly #isRaw: boolean
  readonly #timeOf: (place: number) => number | null
  readonly #stream: StreamTranscript | null
  readonly #lines = new LogLines({ maxBytes: PLAIN_LINE_BYTES, keepsStart: true })
  /** The calls without a result, oldest first. */
  #openCalls: OpenCall[] = []
  /** The index of the row of a line that may continue. Null means that no line is open. */
  #openLine: number | null = null
  /** The index of the last call that returned. A change that follows belongs to this call. */
  #returned: number | null = null
  #events: BoardEvent[] = []
  #hidden = 0
  readonly #count = { from: -1, kinds: new Map<string, number>() }

  constructor({ readLine, timeOf, isRaw = false }: RowsOptions) {
    this.#timeOf = timeOf
    this.#isRaw = isRaw
    this.#stream = readLine === null ? null : new StreamTranscript(readLine)
  }

  /** The index before which rows no longer change. */
  get settled(): number {
    return Math.min(this.#openCalls[0]?.at ?? Infinity, this.#openLine ?? Infinity, this.rows.length)
  }

  /** Adds new events, oldest first. Each event is placed before the first output that came after it. */
  addEvents(events: readonly BoardEvent[]): void {
    this.#events.push(...events)
  }

  take(piece: LogPiece): void {
    if (this.#stream !== null) for (const placed of this.#stream.takePlaced(piece)) this.#addPassage(placed)
    else this.#takePlain(piece)
  }

  /** Call this method when all output so far was added. */
  settleEvents(): void {
    this.#addEventsUntil(Infinity)
  }

  /** Call this method after the last output. */
  end(): void {
    for (const placed of this.#stream?.endPlaced() ?? []) this.#addPassage(placed)
    const last = this.#lines.end()
    if (last !== null) this.#addLine(last)
    this.#openLine = null
    for (const { at } of this.#openCalls) this.#changeCall(at, { state: 'cut' })
    this.#openCalls = []
    if (this.#hidden > 0) this.#push({ kind: 'hidden', lines: this.#hidden }, null)
    this.#hidden = 0
  }

  #takePlain({ bytes, omitted }: LogPiece): void {
    if (omitted > 0) {
      this.#lines.tear(omitted)
      this.#openLine = null
      this.#push({ kind: 'omitted', bytes: omitted }, null)
      return
    }
    for (const line of this.#lines.take(bytes)) {
      this.#addLine(line)
      this.#openLine = null
    }
    const open = this.#lines.open
    if (open !== null) this.#openLine = this.#addLine(open)
  }

  /** Adds a line as a row, or adds it to the open row. Returns the index of the row. */
  #addLine({ text, from }: LogLine): number {
    if (this.#openLine !== null) return this.#openLine
    const line = text ?? ''
    if (!this.#isRaw && line.startsWith(NOTE_PREFIX)) return this.#addNote(line, from)
    const at = this.#timeOf(from)
    if (at !== null) this.#addEventsUntil(at)
    return this.rows.push(from) - 1
  }

  #addNote(line: string, place: number): number {
    // The event of the turn has the same information, so the line is left out.
    if (beginsTurn(line)) return this.rows.length
    return this.#push({ kind: 'note', text: line.slice(NOTE_PREFIX.length).trimEnd() }, place)
  }

  #addPassage(placed: PlacedPassage): void {
    const { from } = placed
    const passage = withoutChatter(placed.passage)
    const place = this.#placeOf(placed)
    if (passage === null) {
      this.#hidden += 1
      return
    }
    switch (passage.kind) {
      case 'turn':
        return
      case 'said':
        this.#push({ kind: 'said', text: messageExcerpt(passage.text) }, from, { text: keptText(passage.text, place) })
        return
      case 'called':
        return this.#addCall(passage, place)
      case 'returned':
        return this.#addResult(passage, place)
      case 'changed':
        return this.#addChange(passage, from)
      case 'printed': {
        const text = passage.text.trimEnd()
        if (text.startsWith(NOTE_PREFIX)) this.#addNote(text, from)
        else this.#push({ kind: 'output', text: excerptOf(text), aside: true }, from, { text: keptText(text, place) })
        return
      }
      case 'used':
      case 'waits':
      case 'failed':
        this.#push(passage, from)
        return
      case 'omitted':
        this.#push(passage, null)
        return
      case 'unknown':
        this.#hidden += passage.lines
    }
  }

  #addCall({ tool, input, call }: Extract<Passage, { kind: 'called' }>, place: TextPlace): void {
    const action = toolAction(tool)
    const edit = action === 'edit' ? editOfCall(input) : null
    const title = edit?.path ?? inputText(input)
    const detail = edit === null ? inputDetail(input, title) : null
    const content: CallContent = {
      kind: 'call',
      tool: toolName(tool),
      action,
      title,
      state: 'open',
      endedAt: null,
      exitCode: null,
      input: detail === null ? null : excerptOf(detail),
      output: null,
      edit,
    }
    const at = this.#push(content, place.from, detail === null ? {} : { input: keptText(detail, place) })
    this.#openCalls.push({ at, call })
  }

  #addResult({ ok, text, call, exitCode }: Extract<Passage, { kind: 'returned' }>, place: TextPlace): void {
    const found = this.#openCalls.find((open) => call === undefined || open.call === undefined || open.call === call)
    if (found === undefined) return
    this.#openCalls = this.#openCalls.filter((open) => open !== found)
    this.#returned = found.at
    const change = {
      state: ok ? 'ok' : 'failed',
      endedAt: this.#timeOf(place.from),
      exitCode: exitCode ?? null,
      output: text.trim() === '' ? null : excerptOf(text),
    } as const
    this.#changeCall(found.at, change, { output: keptText(text, place) })
  }

  #changeCall(at: number, change: Partial<CallContent>, texts: Row['texts'] = {}): void {
    const row = this.#rowAt(at)
    if (row?.content.kind === 'call')
      this.rows[at] = { at: row.at, content: { ...row.content, ...change }, texts: { ...row.texts, ...texts } }
  }

  #rowAt(at: number | null): Row | undefined {
    const row = at === null ? undefined : this.rows[at]
    return typeof row === 'number' ? undefined : row
  }

  /** A change belongs to the call that made it, unless that call already shows its change. */
  #addChange({ path, edit }: Extract<Passage, { kind: 'changed' }>, place: number): void {
    const caller = this.#rowAt(this.#returned)?.content
    const shown = edit === undefined ? null : showEdits(path, [edit])
    if (this.#returned !== null && caller?.kind === 'call' && caller.action === 'edit') {
      if (caller.edit === null) this.#changeCall(this.#returned, { edit: shown, title: caller.title || path })
      return
    }
    this.#push({ kind: 'changed', path, edit: shown }, place)
  }

  /** Adds a row and returns its index. */
  #push(content: RowContent, place: number | null, texts: Row['texts'] = {}): number {
    const at = place === null ? (this.#rowAt(this.rows.length - 1)?.at ?? null) : this.#timeOf(place)
    if (at !== null) this.#addEventsUntil(at)
    if (content.kind !== 'changed') this.#returned = null
    return this.rows.push({ at, content, texts }) - 1
  }

  #addEventsUntil(time: number): void {
    const later = this.#events.findIndex(({ createdAt }) => createdAt > time)
    const due = this.#events.splice(0, later === -1 ? this.#events.length : later)
    for (const event of due) this.rows.push({ at: event.createdAt, content: { kind: 'event', event }, texts: {} })
  }

  /** Counts the passages of each kind in a line, which is part of the place of a text. */
  #placeOf({ passage: { kind }, from, to }: PlacedPassage): TextPlace {
    if (this.#count.from !== from) {
      this.#count.from = from
      this.#count.kinds.clear()
    }
    const nth = this.#count.kinds.get(kind) ?? 0
    this.#count.kinds.set(kind, nth + 1)
    return { from, to, kind, nth }
  }
}

const keptText = (text: string, place: TextPlace): RowText => (text.length <= KEPT_LENGTH ? text : place)

/** The excerpt of a message. A message is prose, so its beginning is shown. */
function messageExcerpt(text: string): Excerpt {
  const lines = text.split('\n').length
  const isWhole = text.length <= MESSAGE_LENGTH
  return { text: isWhole ? text : text.slice(0, MESSAGE_LENGTH), lines, isWhole }
}

/** Reads the whole text at a place, from the bytes of its lines. */
export function textAt(readLine: ReadLine, bytes: Uint8Array, { kind, nth }: TextPlace): string {
  const stream = new StreamTranscript(readLine)
  const passages = [...stream.take({ bytes, omitted: 0 }), ...stream.end()]
  const found = passages.filter((passage) => passage.kind === kind)[nth]
  if (found?.kind === 'said' || found?.kind === 'returned' || found?.kind === 'printed') return found.text
  return found?.kind === 'called' ? (inputDetail(found.input, inputText(found.input)) ?? '') : ''
}
