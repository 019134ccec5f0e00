/** Tests that a store on a server is upgraded while older code still writes to it. */
import { expect, inject, it, onTestFinished } from 'vitest'
import { CODE_VERSION } from '../../../src/storage/migrate.ts'
import { openStore } from '../../../src/storage/open.ts'
import { connectClient } from '../../../src/storage/postgres/client.ts'
import { MIGRATIONS, migrate } from '../../../src/storage/postgres/migrations.ts'
import { Pool } from '../../../src/storage/postgres/pool.ts'
import { testSchema } from '../../helpers/stores.ts'

/** The migrations up to the version in which comments had no numbers and texts had no index. */
const OLD = MIGRATIONS.filter(({ version }) => version <= 11)

const CARD = `insert into task (board, id, title, status, priority, created_by, workspace_kind, workspace_state, created_at,
    updated_at, consecutive_failures, protocol_violations, review_failures, rate_limits, breaker_open, attempts_since,
    recent_blocks, held, open_parents, commands_approved, rank, checks)
  values ('main', 't_0000000001', 'Old card', 'ready', 0, 'ada', 'scratch', 'none', 1, 1, 0, 0, 0, 0, 0, 0, '[]', 0, 0, 1, 1, '[]')`

const COMMENT = `insert into comment (board, id, task_id, author, body, created_at)
  values ('main', 'c_0000000001', 't_0000000001', 'ada', 'Hello.', 1)`

it('older code can write a comment during an upgrade, and the upgrade succeeds', async () => {
  const location = { engine: 'postgres', url: inject('postgresUrl'), schema: testSchema() } as const
  const pool = new Pool({ ...location, readOnly: false }, 1)
  onTestFinished(() => pool.end(1))
  await pool.use((session) => migrate(session, location.schema, OLD))
  const older = connectClient({ ...location, connections: 1, readOnly: false })
  const observer = connectClient({ ...location, connections: 1, readOnly: false })
  onTestFinished(async () => {
    await older.unsafe(`rollback; drop schema ${location.schema} cascade`)
    await Promise.all([older.end(), observer.end()])
  })
  await older.unsafe(`insert into board (slug, name, description, settings, created_at, updated_at)
    values ('main', 'main', '', '{}', 1, 1)`)
  await older.unsafe(CARD)

  await older.unsafe(`begin; select id from task for update`)
  await older.unsafe(COMMENT)
  const upgrade = openStore(location, { mode: 'write' })
  const isWaiting = async (): Promise<boolean> =>
    (
      await observer`select 1 from pg_locks join pg_class on pg_class.oid = relation
        where not granted and relnamespace = ${location.schema}::regnamespace`
    ).length > 0
  await expect.poll(isWaiting).toBe(true)
  await older.unsafe(`update task set updated_at = 2 where id = 't_0000000001'; commit`)

  const store = await upgrade
  onTestFinished(() => store.close())
  expect(await observer`select max(version) as version from migration`).toEqual([{ version: CODE_VERSION }])
  expect(await observer`select number from comment`).toEqual([{ number: 1 }])
})
