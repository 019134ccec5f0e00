/**
 * Migrations are numbered and go forward only. A lock makes machines that start at once migrate one after the other.
 * The store keeps `min_code`, the oldest code version that may use it: an upgrade that only adds does not lock out
 * older machines.
 */
import { BoardError } from '../core/errors.ts'
import { sql } from './sql.ts'
import { first, run } from './tx.ts'
import type { Asking, Tx } from './tx.ts'

/** The schema version that this code writes and reads. */
export const CODE_VERSION = 18

export interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  /** Code below this version must not open a store after this migration. */
  readonly minCode: number
}

/** Records a migration whose statements have run. */
export function* recordMigration({ version, name, minCode }: Migration, now: number): Tx<void> {
  yield* run(sql`insert into migration (version, name, applied_at) values (${version}, ${name}, ${now})`)
  yield* setMeta('min_code', String(minCode))
}

export function* setMeta(key: string, value: string): Tx<void> {
  yield* run(sql`insert into meta (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value`)
}

export function* getMeta(key: string): Asking<string | null> {
  const row = yield* first(sql`select value from meta where key = ${key}`)
  return row === null ? null : String(row.value)
}

export interface SchemaState {
  readonly version: number
  readonly minCode: number
}

export function* schemaState(): Tx<SchemaState> {
  const row = yield* first(sql`select max(version) as version from migration`)
  return { version: Number(row?.version ?? 0), minCode: Number((yield* getMeta('min_code')) ?? 0) }
}

/** Refuses a store of a newer Muster. An older store is migrated when it is next opened for writing. */
export function checkSchema(state: SchemaState, where: string, mode: 'create' | 'write' | 'read'): void {
  if (state.minCode > CODE_VERSION)
    throw new BoardError(
      'store_too_new',
      `The store ${where} was written by a newer Muster (it needs version ${state.minCode} of the store code, this is ${CODE_VERSION}): upgrade Muster here.`,
      { details: { minCode: state.minCode, code: CODE_VERSION } },
    )
  if (mode === 'read' && state.version < CODE_VERSION)
    throw new BoardError(
      'store_too_old',
      `The store ${where} was written by an older Muster: run muster doctor --fix once to upgrade it.`,
      { details: { version: state.version, code: CODE_VERSION } },
    )
}
