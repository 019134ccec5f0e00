/**
 * Keeps the long texts of a card at the end of its row. SQLite reads a row from its start, so reading a column after a
 * text of a megabyte costs as much as reading the text. Lists read no long texts, and must not pay for them.
 */
import type { Connection } from './connection.ts'
import { sql } from '../sql.ts'

/** The columns in the order that they have at the end of the row. The longest text comes last. */
const LONG_TEXTS = ['metadata', 'result', 'body'] as const

/** Runs after the migrations, in their transaction. A migration can only add a column at the end of the row. */
export function moveLongTextsLast(connection: Connection): void {
  const columns = connection.query(sql`select name from pragma_table_info('task') order by cid`)
  const last = columns.slice(-LONG_TEXTS.length).map(({ name }) => name)
  if (last.join() === LONG_TEXTS.join()) return
  // SQLite would rename the columns in the triggers too. So the triggers are created again with their old text.
  const triggers = connection.query(
    sql`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'task'`,
  )
  for (const { name } of triggers) connection.exec(`drop trigger ${String(name)}`)
  for (const name of LONG_TEXTS) {
    connection.exec(`alter table task rename column ${name} to old_${name}`)
    connection.exec(`alter table task add column ${name} text`)
  }
  const each = (make: (name: string) => string, between: string): string => LONG_TEXTS.map(make).join(between)
  connection.exec(
    `update task set ${each((name) => `${name} = old_${name}, old_${name} = null`, ', ')}
    where ${each((name) => `old_${name} is not null`, ' or ')}`,
  )
  for (const name of LONG_TEXTS) connection.exec(`alter table task drop column old_${name}`)
  for (const trigger of triggers) connection.exec(String(trigger['sql']))
}
