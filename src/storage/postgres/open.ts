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
import { sql } from '../sql.ts'
import { first } from '../tx.ts'
import type { Tx } from '../tx.ts'
import { connectClient, connectSeconds } from './client.ts'
import { PostgresDialect } from './dialect.ts'
import { explain, isDisconnect, unreachable } from './errors.ts'
import init from './migrations/0001_init.sql'
import bursts from './migrations/0002_bursts.sql'
import worktrees from './migrations/0003_worktrees.sql'
import reviews from './migrations/0004_reviews.sql'
import bodies from './migrations/0005_bodies.sql'
import answers from './migrations/0006_answers.sql'
import growth from './migrations/0007_growth.sql'
import landing from './migrations/0008_landing.sql'
import folders from './migrations/0009_folders.sql'
import success from './migrations/0010_success.sql'
import tally from './migrations/0011_tally.sql'
import search from './migrations/0012_search.sql'
import commentNumbers from './migrations/0013_comment_numbers.sql'
import type { Listen } from './notifier.ts'
import { BEGIN_WRITING, Pool, drive } from './pool.ts'
import type { Session } from './pool.ts'

const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'init', text: init, minCode: 1 },
  { version: 2, name: 'bursts', text: bursts, minCode: 1 },
  { version: 3, name: 'worktrees', text: worktrees, minCode: 1 },
  { version: 4, name: 'reviews', text: reviews, minCode: 1 },
  { version: 5, name: 'bodies', text: bodies, minCode: 1 },
  { version: 6, name: 'answers', text: answers, minCode: 1 },
  { version: 7, name: 'growth', text: growth, minCode: 1 },
  { version: 8, name: 'landing', text: landing, minCode: 1 },
  { version: 9, name: 'folders', text: folders, minCode: 1 },
  { version: 10, name: 'success', text: success, minCode: 1 },
  { version: 11, name: 'tally', text: tally, minCode: 1 },
  { version: 12, name: 'search', text: search, minCode: 1 },
  { version: 13, name: 'comment_numbers', text: commentNumbers, minCode: 1 },
]
const CONNECTIONS = 4
const OLDEST_SERVER = 150_000

type PostgresLocation = Extract<StoreLocation, { engine: 'postgres' }>

export async function openPostgres(location: PostgresLocation, { mode, shift }: OpenOptions): Promise<Store> {
  const where = describeLocation(location)
  const { schema } = location
  const server = { ...location, readOnly: mode === 'read' }
  const pool = new Pool(server, CONNECTIONS)
  try {
    const answer = pool.use((session) => drive(session, serverVersion()))
    const version = await inTime(answer, connectSeconds(location.url) * 1000, where)
    await pool.use((session) => prepare(session, { schema, where, mode }))
    const listen: Listen = (hearing) => connectClient({ ...server, ...hearing, connections: 1 })
    return new SqlStore(new PostgresDialect({ pool, listen, schema, where, version, shift }))
  } catch (error) {
    await pool.end(0)
    throw explain(error, where)
  }
}

interface Wanted {
  readonly schema: string
  readonly where: string
  readonly mode: OpenOptions['mode']
}

/** Makes the schema or brings it forward, where that is asked; refuses one that this code must not touch. */
async function prepare(session: Session, { schema, where, mode }: Wanted): Promise<void> {
  if (!(await drive(session, schemaExists(schema)))) {
    if (mode !== 'create')
      throw new BoardError('store_missing', `There is no store at ${where}: run muster init.`, { details: { schema } })
    await migrate(session, schema)
  }
  const state = await drive(session, schemaState())
  checkSchema(state, where, mode)
  if (mode !== 'read' && state.version < CODE_VERSION) await migrate(session, schema)
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

function* serverVersion(): Tx<string> {
  const row = yield* first(
    sql`select current_setting('server_version') as version, current_setting('server_version_num') as number`,
  )
  const version = String(row?.version)
  if (Number(row?.number) < OLDEST_SERVER)
    throw new BoardError('not_supported', `PostgreSQL ${version} is too old: Muster needs version 15 or newer.`)
  return version.split(' ')[0] ?? version
}

function* schemaExists(schema: string): Tx<boolean> {
  return (yield* first(sql`select 1 as found where to_regclass(${`${schema}.migration`}) is not null`)) !== null
}

/** Machines that start at once wait for each other here, and then find nothing left to do. */
async function migrate(session: Session, schema: string): Promise<void> {
  await session.sendAll([BEGIN_WRITING])
  try {
    await session.sendAll([
      sql`select pg_advisory_xact_lock(hashtextextended(${`muster.migrate.${schema}`}, 0))`,
      `create schema if not exists ${schema}`,
    ])
    const exists = await drive(session, schemaExists(schema))
    const version = exists ? (await drive(session, schemaState())).version : 0
    for (const step of MIGRATIONS.filter((candidate) => candidate.version > version)) {
      await session.sendAll([step.text])
      await drive(session, recordMigration(step, Date.now()))
    }
    if (!exists) {
      await drive(session, setMeta('epoch', randomBytes(6).toString('hex')))
      await drive(session, setMeta('floor', '0'))
    }
    await session.sendAll(['commit'])
  } catch (error) {
    if (!isDisconnect(error)) await session.sendAll(['rollback']).catch(() => undefined)
    throw error
  }
}
