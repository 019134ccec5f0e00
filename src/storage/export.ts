/** Exports every row of every table in one snapshot. The rows come page by page, in the order of their keys. */
import { BoardError } from '../core/errors.ts'
import type { Dialect } from './dialect.ts'
import {
  ACCOUNT,
  ATTACHMENT,
  BLACKBOARD,
  BOARD,
  COMMENT,
  DISPATCHER,
  EVENT,
  INBOX_MARK,
  LINK,
  RUN,
  SAVED_VIEW,
  SERIES,
  SLOT,
  TASK,
  TOKEN,
} from './rows.ts'
import type { Table } from './rows.ts'
import { EMPTY, valueList, raw, sql } from './sql.ts'
import type { Sql } from './sql.ts'
import type { ExportedRow } from './store.ts'
import { all } from './tx.ts'
import type { Row, Tx } from './tx.ts'

type Sink = (table: string, rows: readonly ExportedRow[]) => void

/** The number of rows in a page. The number is small, because each card may be a megabyte long. */
const PAGE = 250

/** The sort keys of each table. Each key has an index, so that a page is one range of the index. */
const KEYS: readonly (readonly [Table<never>, ...string[]])[] = [
  [BOARD, 'slug'],
  [TASK, 'id'],
  [LINK, 'board', 'parent_id', 'child_id'],
  [RUN, 'id'],
  [COMMENT, 'seq'],
  [ATTACHMENT, 'seq'],
  [EVENT, 'id'],
  [SLOT, 'kind', 'name'],
  [ACCOUNT, 'name'],
  [DISPATCHER, 'machine'],
  [INBOX_MARK, 'kind', 'name'],
  [TOKEN, 'id'],
  [SAVED_VIEW, 'name'],
  [SERIES, 'id'],
  [BLACKBOARD, 'root', 'key'],
] as unknown as readonly (readonly [Table<never>, ...string[]])[]

/**
 * Exports all tables. A conflict repeats the export only before the first page. Otherwise the sink would get the first
 * page twice.
 */
export function exportPages(dialect: Dialect, sink: Sink): Promise<void> {
  let begun = false
  return dialect.read(() => {
    if (begun) throw new BoardError('store_busy', 'The connection to the store was lost during the export. Try again.')
    return exportTables((table, rows) => {
      begun = true
      sink(table, rows)
    })
  })
}

/** Passes the pages of each table to the sink, in order. An empty table gives one empty page. */
function* exportTables(sink: Sink): Tx<void> {
  for (const [table, ...key] of KEYS) {
    let last: Row | null = null
    do {
      const rows: readonly Row[] = yield* all(pageOf(table, key, last))
      if (last === null || rows.length > 0)
        sink(
          table.name,
          rows.map((row) => table.decode(row) as ExportedRow),
        )
      last = rows.length < PAGE ? null : (rows.at(-1) ?? null)
    } while (last !== null)
  }
}

/**
 * Builds the query for one page of rows. The query returns the key columns even if they are not columns of the exported
 * row.
 */
function pageOf(table: Table<never>, key: readonly string[], after: Row | null): Sql {
  const columns = raw([...new Set([...table.columnNames, ...key])].join(', '))
  const order = raw(key.join(', '))
  const later =
    after === null ? EMPTY : sql`where (${order}) > ${valueList(key.map((column) => after[column] ?? null))}`
  return sql`select ${columns} from ${raw(table.name)} ${later} order by ${order} limit ${PAGE}`
}
