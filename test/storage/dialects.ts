/** The layer below the store, for tests that look at single statements or need every engine to go by one clock. */
import { onTestFinished } from 'vitest'
import type { Dialect } from '../../src/storage/dialect.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import { PostgresDialect } from '../../src/storage/postgres/dialect.ts'
import { Pool } from '../../src/storage/postgres/pool.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import type { TestStore } from '../helpers/stores.ts'

/** A server brings its own clock; here it takes the test's, so that rows can be compared to the millisecond. */
class ClockedPostgres extends PostgresDialect {
  readonly #clock: () => number

  constructor(server: ConstructorParameters<typeof PostgresDialect>[0], clock: () => number) {
    super(server)
    this.#clock = clock
  }

  // oxlint-disable-next-line require-yield
  override *now(): ReturnType<PostgresDialect['now']> {
    return this.#clock()
  }
}

/** A dialect of its own on the store of a test, closed with it. */
export function dialectOn({ location, store }: TestStore, clock: () => number): Dialect {
  const dialect =
    location.engine === 'sqlite'
      ? new SqliteDialect(connect(location.path, 'rw'), { clock, writable: true })
      : new ClockedPostgres(
          {
            pool: new Pool({ ...location, readOnly: false }, 2),
            listen: (hearing) => connectClient({ ...location, ...hearing, connections: 1, readOnly: false }),
            schema: location.schema,
            where: 'the test server',
            version: store.engineVersion,
          },
          clock,
        )
  onTestFinished(() => dialect.close())
  return dialect
}

const TABLES = [
  'event',
  'attachment',
  'comment',
  'link',
  'run',
  'task',
  'tally',
  'board',
  'slot',
  'account',
  'dispatcher',
]

/** Takes everything out of the store; the feed begins anew. */
export async function empty({ engine, raw }: TestStore): Promise<void> {
  if (engine === 'sqlite') for (const table of [...TABLES, 'sqlite_sequence']) await raw(`delete from ${table}`)
  else {
    // On SQLite, triggers empty the search index. On PostgreSQL, `truncate` runs no row trigger.
    await raw(`truncate ${[...TABLES, 'task_text'].join(', ')} restart identity`)
    await raw('update feed set last_id = 0')
  }
  // What was said once may be said again.
  await raw("delete from meta where key like 'told %'")
}
