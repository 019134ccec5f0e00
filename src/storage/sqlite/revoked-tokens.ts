/** Removes tokens that were revoked after a backup. Otherwise a restore would make them valid again. */
import { sql } from '../sql.ts'
import type { Connection } from './connection.ts'

/** The ids of the tokens in a store. Null means that the store is damaged, or too old to have a table of tokens. */
export function readTokenIds(connection: Connection): readonly string[] | null {
  try {
    return connection.query(sql`select id from token`).map(({ id }) => String(id))
  } catch {
    return null
  }
}

export function deleteOtherTokens(connection: Connection, ids: readonly string[]): void {
  connection.query(sql`delete from token where id not in (select value from json_each(${JSON.stringify(ids)}))`)
}
