/** Statements that insert and update rows of any table. */
import { join, valueList, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import type { Encoded, Table } from '../rows.ts'

const assignments = (fields: readonly Encoded[]): Sql =>
  join(
    fields.map((field) => field.assignment),
    ', ',
  )

export const insert = <T>(table: Table<T>, row: T): Sql =>
  sql`insert into ${raw(table.name)} (${table.columns}) values ${valueList(table.encodeRow(row))}`

/** Inserts a row, or replaces the row with the same key. */
export function upsert<T>(table: Table<T>, row: T, key: readonly string[]): Sql {
  const others = table.encode(row).filter(({ column }) => !key.includes(column))
  return sql`${insert(table, row)} on conflict (${raw(key.join(', '))}) do update set ${assignments(others)}`
}

/** Updates a row. Returns no row if the condition is no longer true, because the row changed during the decision. */
export const update = <T>(table: Table<T>, pieces: readonly Partial<T>[], where: Sql): Sql =>
  sql`update ${raw(table.name)} set ${assignments(table.encode(...pieces))} where ${where} returning 1 as done`
