/**
 * Measures claim and settle with one caller. Compares the store with its bare statements, and a board of a million cards
 * with one of a thousand. Each pair alternates in small chunks, and the medians are compared, so that other
 * load of the machine affects both equally.
 */
import { copyFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqlStore } from '../../src/storage/sql-store.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { openStore } from '../../src/storage/open.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { createCards } from '../../test/helpers/proofs/proof.ts'
import { info, median, ratio } from '../report.ts'
import { fillBoard } from './fill-board.ts'
import { AGENT, cycle, lead, workOn } from './cycle.ts'
import type { Caller, Work } from './cycle.ts'
import { RawReplay, record } from './replay.ts'

const CHUNK = 20
/**
 * Unmeasured chunks, because Node still compiles hot functions during the first few thousand cycles. A dispatcher lives
 * for days, so its start does not matter.
 */
const WARM_CHUNKS = 250
const CHUNKS = 150
const BIG = 1_000_000
const SMALL = 1_000
/**
 * The free space that the bench needs. A board of a million cards with their runs and events takes 1.5 GB, and twice
 * that must be free.
 */
const FREE_BYTES = 4e9

/** Milliseconds per cycle of a chunk. */
async function timeChunk(caller: Caller, chunk: readonly Work[]): Promise<number> {
  const started = performance.now()
  for (const work of chunk) await cycle(caller, work)
  return (performance.now() - started) / chunk.length
}

function chunksOf(ids: readonly TaskId[]): (readonly Work[])[] {
  const work = ids.map(workOn)
  return Array.from({ length: Math.ceil(work.length / CHUNK) }, (_, at) => work.slice(at * CHUNK, (at + 1) * CHUNK))
}

/**
 * Uses three equal files. The store works on the first. The second is used to record its statements, and on the third
 * they run without the store.
 */
async function compareWithRaw(folder: string): Promise<void> {
  const [path, recorded, bare] = ['muster.db', 'recorded.db', 'bare.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'create' })
  const board = await lead(store)
  const ids = await createCards(store, (WARM_CHUNKS + CHUNKS) * CHUNK, AGENT)
  await store.close()
  for (const copy of [recorded, bare]) copyFileSync(path, copy)

  const caller = { ...board, store: await openStore({ engine: 'sqlite', path }, { mode: 'write' }) }
  const recording = record(connect(recorded, 'rw'))
  const dialect = new SqliteDialect(recording.connection, { clock: Date.now, writable: true })
  const recorder = { ...board, store: new SqlStore(dialect) }
  const raw = new RawReplay(bare)
  const storeMs: number[] = []
  const rawMs: number[] = []
  for (const chunk of chunksOf(ids)) {
    storeMs.push(await timeChunk(caller, chunk))
    await timeChunk(recorder, chunk)
    const sent = recording.take()
    const started = performance.now()
    raw.replay(sent)
    rawMs.push((performance.now() - started) / chunk.length)
  }
  for (const { store: opened } of [caller, recorder]) await opened.close()
  raw.close()
  const ours = median(storeMs.slice(WARM_CHUNKS))
  const floor = median(rawMs.slice(WARM_CHUNKS))
  ratio('lifecycle-vs-raw', floor / ours, '>=0.7')
  info(`${perSecond(ours)} cycles a second through the store, ${perSecond(floor)} raw, two durable commits each`)
}

const perSecond = (ms: number): string => (1000 / ms).toFixed(0)

async function compareBigWithSmall(folder: string): Promise<void> {
  if (statfsSync(folder).bavail * statfsSync(folder).bsize < FREE_BYTES)
    return info(`lifecycle-1m-vs-1k was not run: ${folder} has less than ${FREE_BYTES / 1e9} GB free`)
  const small = await filled(join(folder, 'small.db'), SMALL)
  const started = performance.now()
  const big = await filled(join(folder, 'big.db'), BIG)
  info(`a board of ${BIG} cards was filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const smallMs: number[] = []
  const bigMs: number[] = []
  const bigChunks = chunksOf(big.ids)
  for (const [at, chunk] of chunksOf(small.ids).entries()) {
    smallMs.push(await timeChunk(small.caller, chunk))
    bigMs.push(await timeChunk(big.caller, bigChunks[at] ?? []))
  }
  await small.caller.store.close()
  await big.caller.store.close()
  const [few, many] = [median(smallMs), median(bigMs)]
  ratio('lifecycle-1m-vs-1k', many / few, '<=1.3')
  info(`${perSecond(few)} cycles a second among ${SMALL} cards, ${perSecond(many)} among ${BIG}`)
}

async function filled(path: string, size: number): Promise<{ caller: Caller; ids: readonly TaskId[] }> {
  const { board, ids } = await fillBoard(path, { size, claimable: SMALL })
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'write' })
  return { caller: { ...board, store }, ids }
}

const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
try {
  await compareWithRaw(folder)
  await compareBigWithSmall(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
