import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoreLocation } from '../../../src/storage/location.ts'
import { openStore } from '../../../src/storage/open.ts'
import { connect } from '../../../src/storage/sqlite/connection.ts'
import { sql } from '../../../src/storage/sql.ts'
import type { Usage } from '../../fixtures/store-worker-jobs.ts'
import { startWorkers } from '../processes.ts'
import { unless } from './proof.ts'
import type { Proof } from './proof.ts'

type FileLocation = Extract<StoreLocation, { engine: 'sqlite' }>

/**
 * The growth of the heap that is allowed after the first tenth of the rounds. By then, caches are full and allocators
 * keep their pages.
 */
const HEAP_BYTES = 2_000_000
const RESIDENT_BYTES = 24_000_000

/**
 * Opens stores thousands of times, sometimes without success. Afterwards the process must not hold more handles or
 * memory than before.
 */
export async function proveHandles(
  location: StoreLocation,
  { opens, failures }: { opens: number; failures: number },
): Promise<Proof> {
  const failing = location.engine === 'sqlite' ? await brokenFiles(location) : brokenServers(location)
  const [worker] = await startWorkers(location, 1, { opens: false })
  if (worker === undefined) throw new Error('no worker')
  try {
    const opened = growth('open', await worker.run('openings', { rounds: opens, mode: 'write' }))
    const failed = growth('fail', await worker.run('openings', { rounds: failures, mode: 'read', failing }))
    return {
      figures: { ...opened.figures, ...failed.figures },
      faults: [...opened.faults, ...failed.faults],
    }
  } finally {
    await worker.end()
  }
}

function growth(name: string, usage: readonly Usage[]): Proof {
  const first = usage.find(({ round }) => round === 1)
  const settled = usage[Math.ceil(usage.length / 10)]
  const end = usage.at(-1)
  if (!first || !settled || !end) return { figures: {}, faults: [`${name}: nothing was measured`] }
  const handles = end.handles - first.handles
  const heap = end.heapBytes - settled.heapBytes
  const resident = end.residentBytes - settled.residentBytes
  const kb = (bytes: number): string => `${Math.round(bytes / 1000)} kB`
  return {
    figures: {
      [`${name} rounds`]: end.round,
      [`${name} handles`]: `${handles} more, ${end.handles} in all`,
      [`${name} heap`]: `${kb(heap)} more`,
      [`${name} resident`]: `${kb(resident)} more`,
    },
    faults: [
      ...unless(handles <= 0, `${name}: ${handles} more handles after ${end.round} rounds`),
      ...unless(heap < HEAP_BYTES, `${name}: the heap grew by ${kb(heap)}`),
      ...unless(resident < RESIDENT_BYTES, `${name}: the process grew by ${kb(resident)}`),
    ],
  }
}

/** Creates a file for each way in which opening can fail: before, during and after connecting. */
async function brokenFiles({ path }: FileLocation): Promise<FileLocation[]> {
  const folder = join(dirname(path), 'broken')
  mkdirSync(folder)
  const at = (name: string): string => join(folder, `${name}.db`)
  writeFileSync(at('text'), 'This is not a database.'.repeat(500))
  writeFileSync(at('empty'), '')
  const foreign = connect(at('foreign'), 'rwc')
  foreign.exec('create table other (id integer)')
  await foreign.close()
  const future = await openStore({ engine: 'sqlite', path: at('future') }, { mode: 'create' })
  await future.close()
  const side = connect(at('future'), 'rw')
  side.query(sql`update meta set value = '999' where key = 'min_code'`)
  await side.close()
  return ['missing', 'text', 'empty', 'foreign', 'future'].map((name) => ({ engine: 'sqlite', path: at(name) }))
}

const brokenServers = (location: Extract<StoreLocation, { engine: 'postgres' }>): StoreLocation[] => [
  { ...location, schema: `${location.schema}_missing` },
  { ...location, url: location.url.replace(/\/[^/]*$/, '/no_such_database') },
  { ...location, url: 'postgres://postgres@127.0.0.1:1/postgres' },
]
