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

interface Spare {
  readonly location: Extract<StoreLocation, { engine: 'postgres' }>
  readonly side: Client
  readonly store: Store
}

/** The schema of the next test. Creating a schema takes 50 ms, so it is created while the current test runs. */
let spare: Promise<Spare> | null = null

async function makeSpare(): Promise<Spare> {
  const location = { engine: 'postgres', url: inject('postgresUrl'), schema: testSchema() } as const
  const side = connectClient({ ...location, connections: 1, readOnly: false })
  try {
    return { location, side, store: await openStore(location, { mode: 'create' }) }
  } catch (error) {
    await side.end()
    throw error
  }
}

async function dropSpare({ location, side }: Spare): Promise<void> {
  await side.unsafe(`drop schema if exists ${location.schema} cascade`)
  await side.end()
}

async function dropUnused(): Promise<void> {
  const left = await spare?.catch(() => null)
  spare = null
  if (!left) return
  await left.store.close()
  await dropSpare(left)
}

async function openTestSchema(): Promise<TestStore> {
  if (spare === null) atFileEnd(dropUnused)
  // The test that ran in the meantime may have cut the connection.
  const taken = (await spare?.catch(() => null)) ?? (await makeSpare())
  spare = makeSpare()
  onTestFinished(() => dropSpare(taken))
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
