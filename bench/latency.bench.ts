/** Measures how soon the next card of a chain starts: from the parent's settlement to the registration of its supervisor. */
import { spawnSync } from 'node:child_process'
import type { TaskId } from '../src/core/ids.ts'
import { newTaskId } from '../src/util/mint.ts'
import { waitUntil } from '../src/processes/wait-until.ts'
import { childEnvironment } from '../test/helpers/processes.ts'
import { percentile } from '../test/helpers/proofs/proof.ts'
import { info, ratio } from './report.ts'
import { startUp } from './programs/up.ts'
import type { Up } from './programs/up.ts'

const ROUNDS = 10
const LINKS = 20

export async function benchLatency(): Promise<void> {
  const bare: number[] = []
  const hops: number[] = []
  const up = await startUp()
  try {
    await runChain(up) // The first chain only fills caches.
    // The two kinds of rounds alternate, so that other load of the machine affects both equally.
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let at = 0; at < LINKS; at += 1) bare.push(bareSpawn())
      hops.push(...(await runChain(up)))
    }
  } finally {
    await up.stop()
  }
  const floor = percentile(bare, 0.5)
  ratio('latency-p50-ms-over-spawn', percentile(hops, 0.5) - floor, '<=40')
  ratio('latency-p99-ms-over-spawn', percentile(hops, 0.99) - floor, '<=150')
  info(
    `${hops.length} hops: p50 ${percentile(hops, 0.5)} ms, p99 ${percentile(hops, 0.99)} ms, worst ${Math.max(...hops)} ms; ` +
      `node -e 0: p50 ${floor.toFixed(1)} ms, p99 ${percentile(bare, 0.99).toFixed(1)} ms`,
  )
}

function bareSpawn(): number {
  const started = performance.now()
  spawnSync(process.execPath, ['-e', '0'], { env: childEnvironment() })
  return performance.now() - started
}

/** Runs a chain of cards in which each card is the child of the previous one. All times come from the store's clock. */
async function runChain({ store, decide }: Up): Promise<number[]> {
  const ids = Array.from({ length: LINKS + 1 }, newTaskId)
  const cards = ids.map((id, at) => ({
    id,
    title: 'a link',
    assignee: 'shell',
    body: 'true',
    parents: at === 0 ? [] : [ids[at - 1] as TaskId],
  }))
  await decide('create', { cards })
  const last = ids.at(-1) as TaskId
  const isDone = async (): Promise<true | null> =>
    (await store.task('default', last))?.status === 'done' ? true : null
  if ((await waitUntil(store, isDone, { forMs: 60_000, everyMs: 200 })) === null)
    throw new Error('the chain did not finish')
  const runs = await Promise.all(ids.map(async (id) => (await store.runs('default', id))[0]))
  return runs.slice(1).map((run, at) => (run?.registeredAt ?? Infinity) - (runs[at]?.endedAt ?? 0))
}
