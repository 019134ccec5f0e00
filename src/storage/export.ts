/** Every row of every table, in the order of its key. */
import { ACCOUNT, ATTACHMENT, BOARD, COMMENT, DISPATCHER, EVENT, LINK, RUN, SLOT, TASK } from './rows.ts'
import type { Table } from './rows.ts'
import { raw, sql } from './sql.ts'
import { all } from './tx.ts'
import type { Tx } from './tx.ts'

type Exported = Readonly<Record<string, unknown>>

const ORDERED: readonly (readonly [Table<never>, string])[] = [
  [BOARD, 'slug'],
  [TASK, 'board, id'],
  [LINK, 'board, parent_id, child_id'],
  [RUN, 'board, id'],
  [COMMENT, 'board, seq'],
  [ATTACHMENT, 'board, seq'],
  [EVENT, 'id'],
  [SLOT, 'kind, name'],
  [ACCOUNT, 'name'],
  [DISPATCHER, 'machine'],
] as unknown as readonly (readonly [Table<never>, string])[]

export function* exportTables(): Tx<Record<string, readonly Exported[]>> {
  const tables: Record<string, readonly Exported[]> = {}
  for (const [table, order] of ORDERED) {
    const rows = yield* all(sql`select ${table.columns} from ${raw(table.name)} order by ${raw(order)}`)
    tables[table.name] = rows.map((row) => table.decode(row) as Exported)
  }
  return tables
}
