/**
 * One suite, every engine. Each test owns its database: a file in a folder of its own, or a schema `t_<random>` of the
 * server that the run started; both are gone when the test ends.
 *
 * SQLite takes its clock from here and stands still between two calls of `pass`; PostgreSQL brings its own, so `pass`
 * really waits. A test that needs time to go by shrinks the board's durations and passes a few milliseconds.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setEnvironmentData } from 'node:worker_threads'
import { afterAll, describe, inject, onTestFinished } from 'vitest'
import { openStore } from '../../src/storage/open.ts'
import type { OpenOptions } from '../../src/storage/open.ts'
import type { StoreLocation } from '../../src/storage/location.ts'
import { connectClient } from '../../src/storage/postgres/client.ts'
import type { Client } from '../../src/storage/postgres/client.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import type { Connection } from '../../src/storage/sqlite/connection.ts'
import type { Store } from '../../src/storage/store.ts'
import type { Row } from '../../src/storage/tx.ts'
import { bundleProgram } from './processes.ts'
import { placeStore } from './store-template.ts'

export const ENGINES = ['sqlite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

/**
 * The engines for tests of commands, tools and workspaces. They reach the store only through its interface, which the
 * contract tests prove on both engines, so `npm test` runs them on one; `npm run prove -- engines` runs them on both.
 */
export const SURFACE_ENGINES: readonly Engine[] = process.env['MUSTER_TEST_ENGINES'] === 'both' ? ENGINES : ['sqlite']

export interface TestStore {
  readonly engine: Engine
  readonly location: StoreLocation
  readonly store: Store
  /** Another connection to the same store, as another process would have it. */
  readonly again: (options?: Partial<OpenOptions>) => Promise<Store>
  /** Runs SQL behind the store's back, on a connection of its own. */
  readonly raw: (text: string) => Promise<readonly Row[]>
  /** Lets the store's clock go on by at least this much. */
  readonly pass: (ms: number) => Promise<void>
}

/**
 * Runs a suite once per engine; `open` makes a fresh store for the test that calls it. `inThread`: also on a SQLite
 * store that a thread keeps; a thread takes 60 ms to start, so not every suite asks for it.
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

/** A folder that goes with the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const testSchema = (): string => `t_${randomBytes(6).toString('hex')}`

/** Where the fixed clock begins: a Thursday noon, far from every boundary. */
const BEGINNING = Date.UTC(2026, 0, 15, 12)

const openTestFile = (): Promise<TestStore> => {
  const clock = new Float64Array([BEGINNING])
  return openFileWith(clock, { clock: () => clock[0] ?? 0 })
}

let threadProgram: Promise<string> | null = null

/** Its clock is a number that it shares with the test. */
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

/** A schema takes the server 50 ms, so the next one is made while the present test runs. */
let spare: Promise<Spare> | null = null

async function makeSpare(): Promise<Spare> {
  const location = { engine: 'postgres', url: inject('postgresUrl'), schema: testSchema() } as const
  const side = connectClient({ ...location, connections: 1, readOnly: false })
  return { location, side, store: await openStore(location, { mode: 'create' }) }
}

async function dropSpare({ location, side }: Spare): Promise<void> {
  await side.unsafe(`drop schema if exists ${location.schema} cascade`)
  await side.end()
}

afterAll(async () => {
  const left = await spare
  spare = null
  if (left === null) return
  await left.store.close()
  await dropSpare(left)
})

async function openTestSchema(): Promise<TestStore> {
  const taken = await (spare ?? makeSpare())
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
 * Further connections to a store; each is closed before the database goes. With a file of its own that means no more
 * than to forget it: a real close collects all garbage, in a process with the heap of a test runner, for every test.
 */
const reopener =
  (location: StoreLocation, how: Partial<OpenOptions> = {}): TestStore['again'] =>
  async (options = {}) => {
    const store = await openStore(location, { mode: 'write', ...how, ...options })
    onTestFinished(() => store.close({ exiting: how.thread === undefined }))
    return store
  }
