/** Runs one statement and decodes its rows. */
import type { Table } from './rows.ts'
import type { Sql } from './sql.ts'
import { all, first } from './tx.ts'
import type { Asking } from './tx.ts'

export function* select<T>(table: Table<T>, query: Sql): Asking<readonly T[]> {
  return (yield* all(query)).map((row) => table.decode(row))
}

export function* selectOne<T>(table: Table<T>, query: Sql): Asking<T | null> {
  const row = yield* first(query)
  return row === null ? null : table.decode(row)
}
