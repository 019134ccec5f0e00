/** Opening a store on a PostgreSQL server: one schema, made under a lock by whoever comes first. */
import { randomBytes } from 'node:crypto'
import { BoardError } from '../../core/errors.ts'
import { describeLocation } from '../location.ts'
import type { StoreLocation } from '../location.ts'
import { CODE_VERSION, checkSchema, recordMigration, schemaState, setMeta } from '../migrate.ts'
import type { Migration } from '../migrate.ts'
import type { OpenOptions } from '../open.ts'
import { SqlStore } from '../sql-store.ts'
import type { Store } from '../store.ts'
import { connectClient, connectSeconds, drive } from './client.ts'
import type { Client } from './client.ts'
import { PostgresDialect } from './dialect.ts'
import { explain, unreachable } from './errors.ts'
import init from './migrations/0001_init.sql'

const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'init', text: init, minCode: 1 }]
const CONNECTIONS = 4
const OLDEST_SERVER = 150_000

type PostgresLocation = Extract<StoreLocation, { engine: 'postgres' }>

export async function openPostgres(location: PostgresLocation, { mode }: OpenOptions): Promise<Store> {
  const where = describeLocation(location)
  const { schema } = location
  const client = connectClient({ ...location, connections: CONNECTIONS, readOnly: mode === 'read' })
  try {
    const version = await inTime(serverVersion(client), connectSeconds(location.url) * 1000, where)
    if (!(await schemaExists(client, schema))) {
      if (mode !== 'create')
        throw new BoardError('store_missing', `There is no store at ${where}: run muster init.`, {
          details: { schema },
        })
      await migrate(client, schema)
    }
    const state = await drive(client, schemaState())
    checkSchema(state, where, mode)
    if (mode !== 'read' && state.version < CODE_VERSION) await migrate(client, schema)
    return new SqlStore(new PostgresDialect({ client, schema, where, version }))
  } catch (error) {
    await client.end({ timeout: 1 })
    throw explain(error, where)
  }
}

/** The driver connects again and again, for ever, to a server that hangs up before it has said anything. */
async function inTime<T>(answer: Promise<T>, ms: number, where: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable(where)), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

async function serverVersion(client: Client): Promise<string> {
  const [row] = await client<[{ version: string; number: string }]>`
    select current_setting('server_version') as version, current_setting('server_version_num') as number`
  if (Number(row.number) < OLDEST_SERVER)
    throw new BoardError('not_supported', `PostgreSQL ${row.version} is too old: Muster needs version 15 or newer.`)
  return row.version.split(' ')[0] ?? row.version
}

async function schemaExists(client: Client, schema: string): Promise<boolean> {
  const [row] = await client`select to_regclass(${`${schema}.migration`}) is not null as found`
  return row?.found === true
}

/** Machines that start at once wait for each other here, and then find nothing left to do. */
async function migrate(client: Client, schema: string): Promise<void> {
  await client.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtextextended(${`muster.migrate.${schema}`}, 0))`
    await transaction.unsafe(`create schema if not exists ${schema}`)
    const exists = await schemaExists(transaction as unknown as Client, schema)
    const version = exists ? (await drive(transaction, schemaState())).version : 0
    for (const step of MIGRATIONS.filter((candidate) => candidate.version > version)) {
      await transaction.unsafe(step.text)
      await drive(transaction, recordMigration(step, Date.now()))
    }
    if (!exists) {
      await drive(transaction, setMeta('epoch', randomBytes(6).toString('hex')))
      await drive(transaction, setMeta('floor', '0'))
    }
  })
}
