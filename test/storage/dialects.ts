/** Dialects for tests that inspect single statements, or need the same clock on every engine. */
import { onTestFinished } from 'vitest'
import type { Dialect } from '../../src/storage/dialect.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import { PostgresDialect } from '../../src/storage/postgres/dialect.ts'
import { Pool } from '../../src/storage/postgres/pool.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Sql } from '../../src/storage/sql.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import type { TestStore } from '../helpers/stores.ts'

/**
 * A dialect that uses the clock of the test instead of the server's clock, so that rows can be compared to the
 * millisecond.
 */
class ClockedPostgres extends PostgresDialect {
  readonly #clock: () => number

  constructor(server: ConstructorParameters<typeof PostgresDialect>[0], clock: () => number) {
    super(server)
    this.#clock = clock
  }

  override get clock(): Sql {
    return sql`${this.#clock()}::bigint`
  }
}

/** Opens another dialect on the store of a test. The dialect is closed after the test. */
export function dialectOn({ location, store }: TestStore, clock: () => number): Dialect {
  const dialect =
    location.engine === 'sqlite'
      ? new SqliteDialect(connect(location.path, 'rw'), { clock, writable: true })
      : new ClockedPostgres(
          {
            pool: new Pool({ ...location, readOnly: false }, 2),
            connectListener: (events) => connectClient({ ...location, ...events, connections: 1, readOnly: false }),
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
  'inbox_mark',
  'token',
  'saved_view',
  'series',
  'blackboard',
]

/** Deletes all rows of the store and restarts the feed. */
export async function empty({ engine, raw }: TestStore): Promise<void> {
  if (engine === 'sqlite') for (const table of [...TABLES, 'sqlite_sequence']) await raw(`delete from ${table}`)
  else {
    // On SQLite, triggers empty the search index. On PostgreSQL, `truncate` runs no row trigger.
    await raw(`truncate ${[...TABLES, 'task_text', 'note_text'].join(', ')} restart identity`)
    await raw('update feed set last_id = 0')
  }
  // Deletes the record of notices, so that the store shows them again.
  await raw("delete from meta where key like 'told %'")
}
