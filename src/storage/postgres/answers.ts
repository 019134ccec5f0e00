/** Parses messages from the server: rows, the columns of a statement, errors. */
import { compileLiteral } from '../literal.ts'
import type { Row } from '../tx.ts'

/** The first byte of each message that the pipeline handles. All other messages are ignored. */
export const ANSWER = {
  row: 0x44, // the letter D
  columns: 0x54, // the letter T
  prepared: 0x31, // the digit 1
  complete: 0x43, // the letter C
  empty: 0x49, // the letter I
  error: 0x45, // the letter E
  ready: 0x5a, // the letter Z
} as const

/** The bytes before the fields of a message: the type and the length of the message. */
export const HEADER_BYTES = 5

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/** The columns that a statement returns. */
export interface Columns {
  readonly list: readonly Column[]
  /** Makes a row from the values of its columns. */
  readonly toRow: (values: readonly unknown[]) => Row
}

export const NO_COLUMNS: Columns = { list: [], toRow: () => ({}) }

const asText = (text: string): string => text

/**
 * The parsers of column values, by the object id of the PostgreSQL type. In order: int8, int2, int4, oid, float4,
 * float8; bool; json, jsonb.
 */
const READERS = new Map<number, Column['read']>([
  ...[20, 21, 23, 26, 700, 701].map((type) => [type, Number] as const),
  [16, (text) => text === 't'],
  ...[114, 3802].map((type) => [type, (text: string): unknown => JSON.parse(text)] as const),
])

export function readColumns(bytes: Buffer, message: number): Columns {
  const list: Column[] = []
  const count = bytes.readInt16BE(message + HEADER_BYTES)
  for (let at = message + HEADER_BYTES + 2; list.length < count;) {
    const end = bytes.indexOf(0, at)
    const name = bytes.toString('utf8', at, end)
    // The fields after the name are: table (4 bytes), column number (2), type (4), size (2), modifier (4) and format
    // (2).
    list.push({ name, read: READERS.get(bytes.readInt32BE(end + 7)) ?? asText })
    at = end + 19
  }
  return { list, toRow: rowMaker(list.map(({ name }) => name)) }
}

const rowMakers = new Map<string, Columns['toRow']>()

/**
 * Returns the function that makes a row with these columns. Rows may also have JSON values and booleans. The code of
 * each statement knows the types of its results.
 */
function rowMaker(names: readonly string[]): Columns['toRow'] {
  const key = names.join()
  const known = rowMakers.get(key)
  if (known !== undefined) return known
  const made = compileLiteral<readonly unknown[], Row>(names.map((name, at) => [name, `from[${at}]`]))
  rowMakers.set(key, made)
  return made
}

export function readRow(bytes: Buffer, message: number, { list, toRow }: Columns): Row {
  let at = message + HEADER_BYTES + 2
  const values = list.map(({ read }) => {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) return null
    at += length
    return read(bytes.toString('utf8', at - length, at))
  })
  return toRow(values)
}

/**
 * An error of the server. Its fields have the same names as in errors of the driver, so that the same code handles
 * both.
 */
class ServerError extends Error {
  override readonly name = 'PostgresError'
  /** The SQLSTATE of the error. */
  readonly code: string
  readonly severity: string | undefined
  readonly detail: string | undefined
  readonly hint: string | undefined
  readonly constraint: string | undefined
  /** The function of the server that raised the error. */
  readonly routine: string | undefined

  /** `fields` contains the fields of the message, by their letter in the protocol. */
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
