/**
 * Migrates a store to the current schema. Migrations have numbers and only go forward. If several machines start at the
 * same time, a lock makes them migrate one after the other.
 *
 * The store keeps `min_code`, the oldest code version that may use the store. A migration that only adds tables or
 * columns does not change `min_code`, so that older machines can still use the store.
 */
import { BoardError } from '../core/errors.ts'
import { sql } from './sql.ts'
import { first, run } from './tx.ts'
import type { Asking, Tx } from './tx.ts'

/** The schema version that this code writes and reads. */
export const CODE_VERSION = 30

export interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  /** The oldest code version that may open the store after this migration. */
  readonly minCode: number
}

/** Records that the statements of a migration have run. */
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

/**
 * Refuses a store that a newer Muster has migrated. An older store is accepted, and migrated when a process next opens
 * it for writing.
 */
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
