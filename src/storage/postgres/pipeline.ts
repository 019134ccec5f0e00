/**
 * Sends each batch of statements with one Sync message at its end, so that the server answers in one packet. The driver
 * would send a Sync after each statement, and the server would answer each Sync with a packet. These packets took a
 * third of the processor time of a claim and its settlement.
 *
 * After an error, the server skips the rest of the batch. So a `commit` after a failed statement never runs.
 */
import type { Socket } from 'node:net'
import type { SqlValue } from '../sql.ts'
import type { Row, Rows } from '../tx.ts'
import { ANSWER, HEADER_BYTES, NO_COLUMNS, readColumns, readError, readRow } from './answers.ts'
import type { Columns } from './answers.ts'
import { isStale } from './errors.ts'
import { MessageWriter } from './messages.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** The rows of each successful statement, and the error of the failed statement. */
export interface Answered {
  readonly rows: readonly Rows[]
  readonly error: Error | null
}

/** A statement that is prepared on this connection. */
interface Prepared {
  readonly text: string
  readonly name: string
  /** The map from which this statement is deleted when the server forgets it. */
  readonly known: Map<string, Prepared>
  columns: Columns
  isPrepared: boolean
}

interface Batch {
  readonly statements: readonly Prepared[]
  readonly rows: Row[][]
  error: Error | null
  readonly resolve: (answered: Answered) => void
}

/**
 * The purpose of a statement. Decisions and reads prepare the same text as separate statements. The server keeps a plan
 * for each statement, and the plan of a read may scan a table. A decision must not scan a table.
 */
export type Use = 'decision' | 'read'

const writer = new MessageWriter()

export class Pipeline {
  readonly #socket: Socket
  readonly #prepared: Readonly<Record<Use, Map<string, Prepared>>> = { decision: new Map(), read: new Map() }
  readonly #batches: Batch[] = []
  #count = 0
  #unread: Buffer[] = []
  #unreadLength = 0
  #wantedLength = HEADER_BYTES

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#read(chunk)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
  }

  send(statements: readonly Statement[], use: Use): Promise<Answered> {
    const prepared = statements.map((statement) => this.#write(statement, this.#prepared[use]))
    writer.sync()
    return this.#await(prepared)
  }

  script(text: string): Promise<Answered> {
    writer.script(text)
    return this.#await([])
  }

  /**
   * Ends all pending batches with an error. If the server sent an error before it closed the connection, that error is
   * kept.
   */
  fail(error: Error): void {
    for (const batch of this.#batches.splice(0))
      batch.resolve({ rows: batch.rows.slice(0, -1), error: batch.error ?? error })
  }

  #await(statements: readonly Prepared[]): Promise<Answered> {
    return new Promise((resolve) => {
      this.#batches.push({ statements, rows: [[]], error: null, resolve })
      this.#socket.write(writer.take())
    })
  }

  #write({ text, values }: Statement, known: Map<string, Prepared>): Prepared {
    let prepared = known.get(text)
    if (prepared === undefined) {
      this.#count += 1
      prepared = { text, name: `s${this.#count}`, known, columns: NO_COLUMNS, isPrepared: false }
      known.set(text, prepared)
      writer.prepare(prepared.name, text)
    }
    writer.execute(prepared.name, values)
    return prepared
  }

  /** Handles all complete messages. Keeps the bytes of an incomplete message until the rest arrives. */
  #read(chunk: Buffer): void {
    this.#unread.push(chunk)
    this.#unreadLength += chunk.length
    if (this.#unreadLength < this.#wantedLength) return
    const bytes = this.#unread.length === 1 ? chunk : Buffer.concat(this.#unread)
    let at = 0
    let end = endOfMessage(bytes, at)
    while (end <= bytes.length) {
      this.#handle(bytes, at)
      at = end
      end = endOfMessage(bytes, at)
    }
    this.#unread = at === bytes.length ? [] : [bytes.subarray(at)]
    this.#unreadLength = bytes.length - at
    this.#wantedLength = end - at
  }

  #handle(bytes: Buffer, message: number): void {
    const [batch] = this.#batches
    if (batch === undefined) return
    const { statements, rows } = batch
    const prepared = statements[rows.length - 1]
    switch (bytes.readUInt8(message)) {
      case ANSWER.row:
        rows.at(-1)?.push(readRow(bytes, message, prepared?.columns ?? NO_COLUMNS))
        return
      case ANSWER.complete:
      case ANSWER.empty:
        rows.push([])
        return
      case ANSWER.prepared:
        if (prepared !== undefined) prepared.isPrepared = true
        return
      case ANSWER.columns:
        if (prepared !== undefined) prepared.columns = readColumns(bytes, message)
        return
      case ANSWER.error:
        batch.error = readError(bytes, message)
        return
      case ANSWER.ready:
        this.#batches.shift()
        this.#finish(batch)
    }
  }

  #finish({ statements, rows, error, resolve }: Batch): void {
    // The last list is empty or incomplete, because its statement failed.
    rows.pop()
    if (error !== null) this.#forget(statements, statements[rows.length], error)
    resolve({ rows, error })
  }

  /** Forgets statements that the server did not prepare, and a failed statement that the server must prepare again. */
  #forget(statements: readonly Prepared[], failed: Prepared | undefined, error: Error): void {
    for (const prepared of statements)
      if (!prepared.isPrepared || (prepared === failed && isStale(error))) prepared.known.delete(prepared.text)
  }
}

/** The position after a message. If this position is beyond the bytes, the message is not complete. */
const endOfMessage = (bytes: Buffer, at: number): number =>
  bytes.length - at < HEADER_BYTES ? at + HEADER_BYTES : at + 1 + bytes.readInt32BE(at + 1)
