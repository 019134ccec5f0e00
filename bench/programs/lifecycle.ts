/**
 * Claim and settle, one caller: against the same statements sent raw, and on a board of a million cards against one
 * of a thousand. Both pairs take turns in small chunks, and the medians of the chunks are compared: what else the
 * machine does meanwhile then hits both alike.
 */
import { copyFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqlStore } from '../../src/storage/sql-store.ts'
import { connect } from '../../src/storage/sqlite/connection.ts'
import { SqliteDialect } from '../../src/storage/sqlite/dialect.ts'
import { openStore } from '../../src/storage/open.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { Store } from '../../src/storage/store.ts'
import { withPlace } from '../../test/helpers/places.ts'
import { createCards } from '../../test/helpers/proofs/proof.ts'
import { info, median, ratio } from '../report.ts'
import { fillBoard } from './fill-board.ts'
import { AGENT, cycle, lead } from './cycle.ts'
import type { Caller } from './cycle.ts'
import { RawReplay, record } from './replay.ts'

const CHUNK = 20
const WARM_CHUNKS = 100
const CHUNKS = 150
const BIG = 1_000_000
const SMALL = 1_000
/** A board of a million cards with their runs and events takes 1.5 GB; twice that must be free. */
const FREE_BYTES = 4e9

/** Milliseconds a cycle, for a chunk of them. */
async function timeChunk(caller: Caller, ids: readonly TaskId[]): Promise<number> {
  const started = performance.now()
  for (const id of ids) await cycle(caller, id)
  return (performance.now() - started) / ids.length
}

function* chunksOf(ids: readonly TaskId[]): Generator<readonly TaskId[]> {
  for (let at = 0; at < ids.length; at += CHUNK) yield ids.slice(at, at + CHUNK)
}

async function againstRaw(folder: string): Promise<void> {
  const path = join(folder, 'muster.db')
  const store = await openStore({ engine: 'sqlite', path }, { mode: 'create' })
  const board = await lead(store)
  const ids = await createCards(store, (WARM_CHUNKS + CHUNKS) * CHUNK, AGENT)
  await store.close()
  copyFileSync(path, join(folder, 'raw.db'))

  const recording = record(connect(path, 'rw'))
  const dialect = new SqliteDialect(recording.connection, { clock: Date.now, writable: true })
  const caller = { ...board, store: new SqlStore(dialect) }
  const raw = new RawReplay(join(folder, 'raw.db'))
  const storeMs: number[] = []
  const rawMs: number[] = []
  for (const chunk of chunksOf(ids)) {
    storeMs.push(await timeChunk(caller, chunk))
    const sent = recording.take()
    const started = performance.now()
    raw.replay(sent)
    rawMs.push((performance.now() - started) / chunk.length)
  }
  await caller.store.close()
  raw.close()
  const ours = median(storeMs.slice(WARM_CHUNKS))
  const bare = median(rawMs.slice(WARM_CHUNKS))
  ratio('lifecycle-vs-raw', bare / ours, '>=0.7')
  info(`${perSecond(ours)} cycles a second through the store, ${perSecond(bare)} raw, two durable commits each`)
}

const perSecond = (ms: number): string => (1000 / ms).toFixed(0)

async function bigAgainstSmall(folder: string): Promise<void> {
  if (statfsSync(folder).bavail * statfsSync(folder).bsize < FREE_BYTES)
    return info(`lifecycle-1m-vs-1k was not run: ${folder} has less than ${FREE_BYTES / 1e9} GB free`)
  const small = await filled(join(folder, 'small.db'), SMALL)
  const started = performance.now()
  const big = await filled(join(folder, 'big.db'), BIG)
  info(`a board of ${BIG} cards was filled in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  const smallMs: number[] = []
  const bigMs: number[] = []
  const bigChunks = [...chunksOf(big.ids)]
  for (const [at, chunk] of [...chunksOf(small.ids)].entries()) {
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

async function onServer(postgresUrl: string): Promise<void> {
  const ms = await withPlace('postgres', postgresUrl, async (_, store: Store) => {
    const caller = await lead(store)
    const found: number[] = []
    for (const chunk of chunksOf(await createCards(store, 400, AGENT))) found.push(await timeChunk(caller, chunk))
    return median(found)
  })
  info(`PostgreSQL, without fsync: ${perSecond(ms)} cycles a second`)
}

const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
try {
  await againstRaw(folder)
  await bigAgainstSmall(folder)
  await onServer(process.argv[2] ?? '')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
