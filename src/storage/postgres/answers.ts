/** Parses messages from the server: rows, the columns of a statement, errors. */
import type { SqlValue } from '../sql.ts'
import type { Row } from '../tx.ts'

/** The first byte of each message that the pipeline handles. It ignores all other messages. */
export const ANSWER = {
  row: 0x44, // D
  columns: 0x54, // T
  prepared: 0x31, // 1
  complete: 0x43, // C
  empty: 0x49, // I
  error: 0x45, // E
  ready: 0x5a, // Z
} as const

/** The bytes before the fields of a message: its type and its length. */
export const HEADER_BYTES = 5

export interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

const asText = (text: string): string => text

/**
 * The parsers of column values, by the object id of the type: int8, int2, int4, oid, float4, float8; bool; json, jsonb.
 */
const READERS = new Map<number, Column['read']>([
  ...[20, 21, 23, 26, 700, 701].map((type) => [type, Number] as const),
  [16, (text) => text === 't'],
  ...[114, 3802].map((type) => [type, (text: string): unknown => JSON.parse(text)] as const),
])

export function readColumns(bytes: Buffer, message: number): readonly Column[] {
  const columns: Column[] = []
  const count = bytes.readInt16BE(message + HEADER_BYTES)
  for (let at = message + HEADER_BYTES + 2; columns.length < count;) {
    const end = bytes.indexOf(0, at)
    const name = bytes.toString('utf8', at, end)
    // After the name: table (4 bytes), column number (2), type (4), size (2), modifier (4), format (2).
    columns.push({ name, read: READERS.get(bytes.readInt32BE(end + 7)) ?? asText })
    at = end + 19
  }
  return columns
}

export function readRow(bytes: Buffer, message: number, columns: readonly Column[]): Row {
  const row: Record<string, unknown> = {}
  let at = message + HEADER_BYTES + 2
  for (const { name, read } of columns) {
    const length = bytes.readInt32BE(at)
    at += 4
    row[name] = length === -1 ? null : read(bytes.toString('utf8', at, at + length))
    at += Math.max(length, 0)
  }
  // Rows may also hold JSON values and booleans. The code of each statement knows its result types.
  return row as Record<string, SqlValue>
}

/**
 * An error of the server. Its fields have the same names as in the driver's errors, so that the same code handles both.
 */
class ServerError extends Error {
  override readonly name = 'PostgresError'
  /** The SQLSTATE. */
  readonly code: string
  readonly severity: string | undefined
  readonly detail: string | undefined
  readonly hint: string | undefined
  readonly constraint: string | undefined
  /** The function of the server that raised the error. */
  readonly routine: string | undefined

  /** `fields`: the fields of the message, by their letter in the protocol. */
  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'the server gave no reason')
    this.code = fields.get('C') ?? ''
    this.severity = fields.get('S')
    this.detail = fields.get('D')
    this.hint = fields.get('H')
    this.constraint = fields.get('n')
    this.routine = fields.get('R')
  }
}

export function readError(bytes: Buffer, message: number): ServerError {
  const fields = new Map<string, string>()
  for (let at = message + HEADER_BYTES; bytes[at] !== 0;) {
    const end = bytes.indexOf(0, at)
    fields.set(bytes.toString('latin1', at, at + 1), bytes.toString('utf8', at + 1, end))
    at = end + 1
  }
  return new ServerError(fields)
}
