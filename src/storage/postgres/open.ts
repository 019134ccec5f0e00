/** Opens a store on a PostgreSQL server. The store is one schema. The first process creates it under a lock. */
import { BoardError } from '../../core/errors.ts'
import { describeLocation } from '../location.ts'
import type { StoreLocation } from '../location.ts'
import { CODE_VERSION, checkSchema, schemaState } from '../migrate.ts'
import type { OpenOptions } from '../open.ts'
import { SqlStore } from '../sql-store.ts'
import type { Store } from '../store.ts'
import { sql } from '../sql.ts'
import { first } from '../tx.ts'
import type { Tx } from '../tx.ts'
import { connectClient } from './client.ts'
import { PostgresDialect } from './dialect.ts'
import { explain } from './errors.ts'
import { migrate, schemaExists } from './migrations.ts'
import type { ConnectListener } from './notifier.ts'
import { Pool, drive } from './pool.ts'
import type { Session } from './pool.ts'

const CONNECTIONS = 4
const OLDEST_SERVER = 150_000

type PostgresLocation = Extract<StoreLocation, { engine: 'postgres' }>

export async function openPostgres(location: PostgresLocation, { mode, shift }: OpenOptions): Promise<Store> {
  const where = describeLocation(location)
  const { schema } = location
  const server = { ...location, readOnly: mode === 'read' }
  const pool = new Pool(server, CONNECTIONS)
  try {
    const version = await pool.use((session) => drive(session, serverVersion()))
    await pool.use((session) => prepare(session, { schema, where, mode }))
    const connectListener: ConnectListener = (events) => connectClient({ ...server, ...events, connections: 1 })
    return new SqlStore(new PostgresDialect({ pool, connectListener, schema, where, version, shift }))
  } catch (error) {
    await pool.end(0)
    throw explain(error, where)
  }
}

interface PrepareOptions {
  readonly schema: string
  readonly where: string
  readonly mode: OpenOptions['mode']
}

/** Creates or upgrades the schema if the mode allows this. Refuses a schema that a newer Muster has migrated. */
async function prepare(session: Session, { schema, where, mode }: PrepareOptions): Promise<void> {
  if (!(await drive(session, schemaExists(schema)))) {
    if (mode !== 'create')
      throw new BoardError('store_missing', `There is no store at ${where}: run muster init.`, { details: { schema } })
    await migrate(session, schema)
  }
  const state = await drive(session, schemaState())
  checkSchema(state, where, mode)
  if (mode !== 'read' && state.version < CODE_VERSION) await migrate(session, schema)
}

function* serverVersion(): Tx<string> {
  const row = yield* first(
    sql`select current_setting('server_version') as version, current_setting('server_version_num') as number`,
  )
  const version = String(row?.version)
  if (Number(row?.number) < OLDEST_SERVER)
    throw new BoardError('not_supported', `PostgreSQL ${version} is too old: Muster needs version 15 or newer.`)
  return version.split(' ')[0] ?? version
}
