/**
 * Runs one suite on every engine. Each test has its own database, deleted when the test ends: a file in a temporary
 * folder, or a schema `t_<random>` on the test server.
 *
 * SQLite uses a test clock that only `pass` advances. PostgreSQL uses its own clock, so `pass` really waits. A test that
 * needs time to pass shortens the board's durations and passes a few milliseconds.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setEnvironmentData } from 'node:worker_threads'
import { describe, inject, onTestFinished } from 'vitest'
import { openStore } from '../../src/storage/open.ts'
import type { OpenOptions } from '../../src/storage/open.ts'
import type { StoreLocation } from '../../src/storage/location.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import type { Client } from '../../src/storage/postgres/client.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import type { Connection } from '../../src/storage/sqlite/connection.ts'
import type { Store } from '../../src/storage/store.ts'
import type { Row } from '../../src/storage/tx.ts'
import { atFileEnd } from './file-end.ts'
import { bundleProgram } from './processes.ts'
import { placeStore } from './store-template.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

/**
 * The engines for tests of commands, tools and workspaces. These tests use the store only through its interface, which
 * the contract tests prove on both engines. So `npm test` runs them on one engine, and `npm run prove -- engines` on
 * both.
 */
export const SURFACE_ENGINES: readonly Engine[] = process.env['MUSTER_TEST_ENGINES'] === 'both' ? ENGINES : ['sqlite']

export interface TestStore {
  readonly engine: Engine
  readonly location: StoreLocation
  readonly store: Store
  /** Opens another connection to the same store, as another process would. */
  readonly again: (options?: Partial<OpenOptions>) => Promise<Store>
  /** Runs SQL directly on the database, on a separate connection. */
  readonly raw: (text: string) => Promise<readonly Row[]>
  /** Advances the clock of the store by at least this many milliseconds. */
  readonly pass: (ms: number) => Promise<void>
}

/**
 * Runs a suite once per engine. `open` makes a new store for the calling test. `inThread` adds a SQLite store in a
 * thread, which only some suites use, because a thread takes 60 ms to start.
 */
export function describeStores(
  name: string,
  suite: (open: () => Promise<TestStore>, engine: Engine) => void,
  { inThread = false } = {},
): void {
  const everywhere = ENGINES.map((engine) => ({ where: engine as string, engine, open: () => openTestStore(engine) }))
  const apart = { where: 'sqlite in a thread', engine: 'sqlite', open: openTestThread } as const
  for (const { where, engine, open } of inThread ? [...everywhere, apart] : everywhere)
    describe(`${name} (${where})`, () => {
      suite(open, engine)
    })
}

export const openTestStore = (engine: Engine): Promise<TestStore> =>
  engine === 'sqlite' ? openTestFile() : openTestSchema()

/** Makes a temporary folder that is deleted after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const testSchema = (): string => `t_${randomBytes(6).toString('hex')}`

/** The start of the test clock: noon of a Thursday, far from the boundary of a day, week or month. */
const BEGINNING = Date.UTC(2026, 0, 15, 12)

const openTestFile = (): Promise<TestStore> => {
  const clock = new Float64Array([BEGINNING])
  return openFileWith(clock, { clock: () => clock[0] ?? 0 })
}

let threadProgram: Promise<string> | null = null

/** The thread reads its clock from memory that it shares with the test. */
async function openTestThread(): Promise<TestStore> {
  const clock = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(BEGINNING)
  setEnvironmentData('clock', clock.buffer)
  threadProgram ??= bundleProgram('test/fixtures/clocked-store-thread.ts')
  return openFileWith(clock, { thread: await threadProgram })
}

async function openFileWith(clock: Float64Array, how: Partial<OpenOptions>): Promise<TestStore> {
  const location = { engine: 'sqlite', path: join(testFolder(), 'muster.db') } as const
  let side: Connection | null = null
  const again = reopener(location, how)
  await placeStore(location.path)
  const store = await again()
  onTestFinished(() => side?.close({ exiting: true }))
  return {
    engine: 'sqlite',
    location,
    store,
    again,
    raw: async (text) => {
      side ??= connect(location.path, 'rw')
      return side.query({ strings: [text], values: [] })
    },
    pass: async (ms) => {
      clock[0] = (clock[0] ?? 0) + ms
    },
  }
}

type SchemaLocation = Extract<StoreLocation, { engine: 'postgres' }>

/** A schema that the tests of a file use one after the other. */
interface TestSchema {
  readonly location: SchemaLocation
  readonly side: Client
  readonly store: Store
  /** Describes everything in the new schema that emptying its tables does not restore. */
  readonly shape: string
  readonly meta: readonly Row[]
}

/** The schema of the next test. It is prepared while the current test runs. */
let spare: Promise<TestSchema> | null = null
/** Emptied schemas. Emptying a schema takes a tenth of the time of making one. */
const emptied: TestSchema[] = []

async function makeSchema(): Promise<TestSchema> {
  const location = { engine: 'postgres', url: inject('postgresUrl'), schema: testSchema() } as const
  const side = connectClient({ ...location, connections: 1, readOnly: false })
  try {
    const store = await openStore(location, { mode: 'create' })
    const meta = await side.unsafe<Row[]>(`select key, value from ${location.schema}.meta`)
    return { location, side, store, meta, shape: await shapeOf(side, location) }
  } catch (error) {
    await side.end()
    throw error
  }
}

async function nextSchema(): Promise<TestSchema> {
  const free = emptied.pop()
  if (free === undefined) return makeSchema()
  try {
    return { ...free, store: await openStore(free.location, { mode: 'write' }) }
  } catch (error) {
    await dropSchema(free)
    throw error
  }
}

/**
 * Tables with their options and rights, triggers, functions, migrations, and the columns with statistics. A schema whose
 * shape a test has changed is not used again.
 */
async function shapeOf(side: Client, { schema }: SchemaLocation): Promise<string> {
  const [row] = await side.unsafe<{ shape: string }[]>(`
    select md5(string_agg(line, ',' order by line)) as shape from (
      select concat('c', relname, relkind, relnatts, reloptions, relacl) as line from pg_class
        where relnamespace = '${schema}'::regnamespace
      union all select concat('t', tgname, tgenabled) from pg_trigger join pg_class on pg_class.oid = tgrelid
        where relnamespace = '${schema}'::regnamespace
      union all select concat('f', proname, prosrc) from pg_proc where pronamespace = '${schema}'::regnamespace
      union all select concat('n', nspacl) from pg_namespace where nspname = '${schema}'
      union all select concat('s', tablename, attname) from pg_stats where schemaname = '${schema}'
      union all select concat('m', migration) from ${schema}.migration
    ) lines`)
  return row?.shape ?? ''
}

/** Empties the schema for the next test, or drops the schema if the test changed more than rows. */
async function recycle(used: TestSchema): Promise<void> {
  const isEmpty = await emptySchema(used).catch(() => false)
  if (isEmpty) emptied.push(used)
  else await dropSchema(used)
}

async function emptySchema({ side, location, shape, meta }: TestSchema): Promise<boolean> {
  const { schema } = location
  await side.unsafe(`set lock_timeout = '5s'`)
  if ((await shapeOf(side, location)) !== shape) return false
  const rows = await side.unsafe<{ name: string }[]>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = '${schema}' and tablename not in ('meta', 'migration', 'feed')`,
  )
  const quote = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`
  await side.unsafe(`truncate ${rows.map(({ name }) => name).join(', ')} restart identity;
    update ${schema}.feed set last_id = 0; delete from ${schema}.meta;
    ${meta.map(({ key, value }) => `insert into ${schema}.meta (key, value) values (${quote(key)}, ${quote(value)});`).join('\n')}`)
  return true
}

async function dropSchema({ location, side }: Pick<TestSchema, 'location' | 'side'>): Promise<void> {
  await side.unsafe(`drop schema if exists ${location.schema} cascade`)
  await side.end()
}

async function dropUnused(): Promise<void> {
  const left = await spare?.catch(() => null)
  spare = null
  await left?.store.close()
  for (const each of [...(left ? [left] : []), ...emptied.splice(0)]) await dropSchema(each)
}

async function openTestSchema(): Promise<TestStore> {
  if (spare === null) atFileEnd(dropUnused)
  // The test that ran in the meantime may have cut the connection.
  const taken = (await spare?.catch(() => null)) ?? (await nextSchema())
  spare = nextSchema()
  // The next test waits for the schema. Until then, an error has no other handler.
  spare.catch(() => undefined)
  onTestFinished(() => recycle(taken))
  onTestFinished(() => taken.store.close())
  return {
    engine: 'postgres',
    location: taken.location,
    store: taken.store,
    again: reopener(taken.location),
    raw: (text) => taken.side.unsafe<Row[]>(text),
    pass: (ms) => sleep(ms + 2),
  }
}

/**
 * Opens further connections to a store. Each connection is closed before the database is deleted. A SQLite file in this
 * process is closed with `exiting`, because a normal close would collect the whole heap of the test runner after every
 * test.
 */
const reopener =
  (location: StoreLocation, how: Partial<OpenOptions> = {}): TestStore['again'] =>
  async (options = {}) => {
    const store = await openStore(location, { mode: 'write', ...how, ...options })
    onTestFinished(() => store.close({ exiting: how.thread === undefined }))
    return store
  }
