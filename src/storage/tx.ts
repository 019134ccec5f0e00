/**
 * A transaction is a generator of statements. SQLite drives it synchronously, so no transaction there ever spans an
 * `await`; PostgreSQL drives the same generator with one. Everything between two statements is plain code.
 */
import type { Sql, SqlValue } from './sql.ts'

export type Row = Readonly<Record<string, SqlValue>>
export type Tx<T> = Generator<Sql, T, readonly Row[]>

export function* all(query: Sql): Tx<readonly Row[]> {
  return yield query
}

export function* first(query: Sql): Tx<Row | null> {
  const rows = yield query
  return rows[0] ?? null
}

export function* run(query: Sql): Tx<void> {
  yield query
}

/** Raised inside a decision whose ground moved: the driver rolls back and decides again. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}
