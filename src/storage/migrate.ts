/**
 * Numbered steps, forward only, each in one transaction. A step inserts its version first, so that two machines that
 * start at once meet there and not half-way. The store keeps `min_code`: the oldest code that may still work with it,
 * so that an upgrade which only adds does not lock older machines out.
 */
import { BoardError } from '../core/errors.ts'
import { sql } from './sql.ts'
import { first, run } from './tx.ts'
import type { Asking, Tx } from './tx.ts'

/** What this code writes and understands. */
export const CODE_VERSION = 15

export interface Migration {
  readonly version: number
  readonly name: string
  readonly text: string
  /** Code below this version must not touch a store that has taken this step. */
  readonly minCode: number
}

/** Runs one migration's statements, after those of all earlier ones. `exec` is the engine's way to run a script. */
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

/** Refuses a store from the future. An older one is brought forward by the next writing open. */
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
      `The store ${where} was written by an older Muster: run muster doctor --fix once to bring it forward.`,
      { details: { version: state.version, code: CODE_VERSION } },
    )
}
