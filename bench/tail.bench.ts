import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commentIdFrom } from '../src/core/ids.ts'
import type { TaskId } from '../src/core/ids.ts'
import type { StoreLocation } from '../src/storage/location.ts'
import type { Store } from '../src/storage/store.ts'
import { withPlace } from '../test/helpers/places.ts'
import { childEnvironment } from '../test/helpers/processes.ts'
import { createCards, decide, percentile } from '../test/helpers/proofs/proof.ts'
import { info, ratio } from './report.ts'

const BIN = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const COMMENTS = 300
const EVERY_MS = 10

/** Measures how soon `muster tail` prints a commit into a pipe, on the slower of the two engines. */
export async function benchTail(postgresUrl: string): Promise<void> {
  const worst: number[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const waits = await withPlace(engine, postgresUrl, follow)
    const p95 = percentile(waits, 0.95)
    info(
      `${engine}: p50 ${percentile(waits, 0.5).toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, worst ${Math.max(...waits).toFixed(1)} ms`,
    )
    worst.push(p95)
  }
  ratio('tail-p95-ms', Math.max(...worst), '<=100')
}

/** Returns the milliseconds from each commit to its line. */
async function follow(location: StoreLocation, store: Store): Promise<readonly number[]> {
  const [card] = await createCards(store, 1)
  if (card === undefined) throw new Error('no card')
  const printed = new Map<number, number>()
  const tail = spawn(process.execPath, [BIN, 'tail', card, '--json'], {
    env: { ...childEnvironment(), ...environmentFor(location) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: tail.stdout })
  const begun = new Promise<void>((resolve) => lines.once('line', () => resolve()))
  lines.on('line', (line) => printed.set((JSON.parse(line) as { id: number }).id, performance.now()))
  await begun
  const committed = await write(store, card)
  await sleep(1_500)
  tail.kill('SIGINT')
  await once(tail, 'close')
  return committed.map(([id, at]) => Math.max(0, (printed.get(id) ?? Infinity) - at))
}

/** Writes comments and returns the id and commit time of each event. */
async function write(store: Store, task: TaskId): Promise<readonly (readonly [id: number, at: number])[]> {
  const committed: [number, number][] = []
  for (let at = 0; at < COMMENTS; at += 1) {
    await decide(store, 'comment', { task, id: commentIdFrom(randomBytes(10)), body: `words ${at}` })
    const now = performance.now()
    const { cursor } = await store.feed(null)
    committed.push([Number(cursor.split(':')[1]), now])
    await sleep(EVERY_MS)
  }
  return committed
}

const environmentFor = (location: StoreLocation): Record<string, string> =>
  location.engine === 'sqlite'
    ? { MUSTER_HOME: dirname(location.path) }
    : { MUSTER_STORE: `${location.url}?schema=${location.schema}` }
