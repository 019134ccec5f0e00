/**
 * Keeps the rows of a log in memory between two requests of its reader, so that a request reads only new output. Long
 * texts and plain lines are not kept: they are read again from the log.
 */
import type { BoardEvent, EventKind } from '../../core/event.ts'
import { groupOf } from '../../core/event-groups.ts'
import type { Run } from '../../core/run.ts'
import type { ReadLine } from '../../harnesses/stream/entry.ts'
import { textAt, TranscriptRows } from '../../harnesses/stream/transcript-rows.ts'
import type { RowPart } from '../../harnesses/stream/row-kinds.ts'
import type { Row, RowText, StoredRow } from '../../harnesses/stream/transcript-rows.ts'
import { LogTimes } from '../../runs/log/log-times.ts'
import { readBytesAt, readLinesAt } from '../../runs/log/read-lines-at.ts'
import { LogReader } from '../../runs/log/read-log.ts'
import { findReader } from '../../supervisor/turns/find-reader.ts'

/** The events of Muster's own work that a transcript shows. */
const STEPS: readonly EventKind[] = [
  'checks_passed',
  'committed',
  'heartbeat',
  'intent_recorded',
  'turn_started',
  'verdict_recorded',
  'verdict_withdrawn',
]

const isShown = ({ kind }: BoardEvent): boolean => STEPS.includes(kind) || groupOf(kind) !== 'details'

/** The maximum number of bytes of a plain line to show, and of a text to read at once. */
const LINE_BYTES = 2_000
const TEXT_BYTES = 8 * 1024 * 1024

interface LogOptions {
  readonly path: string
  readonly readLine: ReadLine | null
  readonly isRaw: boolean
}

export class TranscriptLog {
  readonly #path: string
  readonly #readLine: ReadLine | null
  readonly #isRaw: boolean
  readonly #times: LogTimes
  readonly #reader: LogReader
  readonly #rows: TranscriptRows
  #lastEvent = 0
  #isLive = true
  #isOver = false
  #reading: Promise<void> = Promise.resolve()

  constructor({ path, readLine, isRaw }: LogOptions) {
    this.#path = path
    this.#readLine = readLine
    this.#isRaw = isRaw
    this.#times = new LogTimes(path)
    this.#reader = new LogReader(path)
    this.#rows = new TranscriptRows({ readLine, isRaw, timeOf: (place) => this.#timeOf(place) })
  }

  get rows(): readonly StoredRow[] {
    return this.#rows.rows
  }

  get settled(): number {
    return this.#rows.settled
  }

  /** Reads the new output. `events` are all events of the run, oldest first. */
  refresh(run: Pick<Run, 'endedAt'>, events: readonly BoardEvent[]): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read(run, events))
    return this.#reading
  }

  async #read({ endedAt }: Pick<Run, 'endedAt'>, events: readonly BoardEvent[]): Promise<void> {
    if (this.#isOver) return
    this.#isLive = endedAt === null
    await this.#times.refresh()
    if (!this.#isRaw) this.#rows.addEvents(events.filter((event) => event.id > this.#lastEvent && isShown(event)))
    this.#lastEvent = Math.max(this.#lastEvent, ...events.slice(-1).map(({ id }) => id))
    for (let piece = await this.#reader.next(); piece !== null; piece = await this.#reader.next())
      this.#rows.take(piece)
    this.#isOver = endedAt !== null
    if (this.#isOver) this.#rows.end()
    this.#rows.settleEvents()
  }

  /**
   * The time at which a byte was written. The time of the newest output is not noted yet, so the time of reading is
   * used.
   */
  #timeOf(place: number): number | null {
    return this.#times.timeOf(place) ?? (this.#isLive ? Date.now() : null)
  }

  /** The rows with these numbers, ascending. Plain lines are read from the log. */
  async read(numbers: readonly number[]): Promise<readonly (Row & { readonly n: number })[]> {
    const starts = numbers.flatMap((n) => this.rows[n] ?? []).filter((row) => typeof row === 'number')
    const lines = await readLinesAt(this.#path, { starts, lineBytes: LINE_BYTES })
    const lineAt = new Map(starts.map((start, at) => [start, lines[at]]))
    return numbers.flatMap((n) => {
      const row = this.rows[n]
      if (row === undefined) return []
      if (typeof row !== 'number') return [{ n, ...row }]
      const { text = '', isWhole = true } = lineAt.get(row) ?? {}
      const excerpt = { text, lines: 1, isWhole }
      return [
        { n, at: this.#timeOf(row), content: { kind: 'output', text: excerpt, aside: false } as const, texts: {} },
      ]
    })
  }

  /** The whole text of a part of a row. Null means that the row has no such part. */
  async textOf(n: number, part: RowPart): Promise<string | null> {
    const row = this.rows[n]
    if (typeof row === 'number') {
      if (part !== 'text') return null
      const [line] = await readLinesAt(this.#path, { starts: [row], lineBytes: TEXT_BYTES })
      return line?.text ?? null
    }
    const text = row?.texts[part]
    return text === undefined ? null : this.readText(text)
  }

  async readText(text: RowText): Promise<string> {
    if (typeof text === 'string') return text
    if (this.#readLine === null) return ''
    const bytes = await readBytesAt(this.#path, text.from, Math.min(text.to - text.from, TEXT_BYTES))
    return textAt(this.#readLine, bytes, text)
  }
}

/** The number of logs to keep in memory. This is more than a person watches at once. */
const LOGS_MAX = 4
const IDLE_MS = 60_000

const open = new Map<string, { readonly log: Promise<TranscriptLog>; readonly timer: NodeJS.Timeout }>()

/** Opens the rows of a log, which may be in memory already. `isRaw` shows the lines of the log as they are. */
export function openTranscript(path: string, { isRaw }: Pick<LogOptions, 'isRaw'>): Promise<TranscriptLog> {
  const key = `${isRaw ? 'raw' : 'rows'} ${path}`
  const known = open.get(key)
  if (known !== undefined) {
    known.timer.refresh()
    return known.log
  }
  const [oldest] = open.keys()
  if (open.size >= LOGS_MAX && oldest !== undefined) forget(oldest)
  const log = (async () => new TranscriptLog({ path, isRaw, readLine: isRaw ? null : await findReader(path) }))()
  log.catch(() => forget(key))
  const timer = setTimeout(() => forget(key), IDLE_MS)
  timer.unref()
  open.set(key, { log, timer })
  return log
}

function forget(key: string): void {
  clearTimeout(open.get(key)?.timer)
  open.delete(key)
}
