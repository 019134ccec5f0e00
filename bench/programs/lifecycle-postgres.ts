/**
 * Measures claims and settlements on PostgreSQL with durable commits, compared with graphile-worker's jobs on the same
 * server. Both alternate in chunks, and the medians are compared, so that other load of the machine affects both
 * equally.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Store } from '../../src/storage/store.ts'
import { withPlace } from '../../test/helpers/places.ts'
import { createCards } from '../../test/helpers/proofs/proof.ts'
import { info, median, ratio } from '../report.ts'
import { AGENT, cycle, lead, workOn } from './cycle.ts'
import type { Caller } from './cycle.ts'

const CHUNK = 160
/**
 * Unmeasured chunks at the start. After them, both programs run compiled code, as a dispatcher does after some minutes.
 */
const FIRST_CHUNKS = 20
const WARM_CHUNKS = 2
const CHUNKS = 7
const TARGETS = [
  { callers: 1, target: '>=0.3' },
  { callers: 4, target: '>=0.3' },
  { callers: 16, target: '>=0.2' },
] as const

const perSecond = (ms: number): string => (1000 / ms).toFixed(0)

/** Milliseconds per cycle. The callers share the cards and run concurrently. */
async function timeCycles(caller: Caller, callers: number): Promise<number> {
  const work = (await createCards(caller.store, CHUNK, AGENT)).map(workOn)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let next = work.pop(); next !== undefined; next = work.pop()) await cycle(caller, next)
    }),
  )
  return (performance.now() - started) / CHUNK
}

/** Milliseconds per job of graphile-worker. */
async function timeJobs(graphile: ChildProcess, concurrency: number): Promise<number> {
  graphile.send({ count: CHUNK, concurrency })
  const [{ ms }] = (await once(graphile, 'message')) as [{ ms: number }]
  return ms
}

async function compare(caller: Caller, graphile: ChildProcess): Promise<void> {
  for (let chunk = 0; chunk < FIRST_CHUNKS; chunk += 1) {
    await timeCycles(caller, 1)
    await timeJobs(graphile, 1)
  }
  for (const { callers, target } of TARGETS) {
    const ours: number[] = []
    const theirs: number[] = []
    for (let chunk = 0; chunk < WARM_CHUNKS + CHUNKS; chunk += 1) {
      ours.push(await timeCycles(caller, callers))
      theirs.push(await timeJobs(graphile, callers))
    }
    const [cycleMs, jobMs] = [median(ours.slice(WARM_CHUNKS)), median(theirs.slice(WARM_CHUNKS))]
    ratio(`lifecycle-postgres-vs-graphile-${callers}`, jobMs / cycleMs, target)
    info(`${callers} callers: ${perSecond(cycleMs)} cycles a second, graphile-worker ${perSecond(jobMs)} jobs a second`)
  }
}

const [, , postgresUrl = '', graphileProgram = ''] = process.argv
const graphile = fork(graphileProgram, [postgresUrl], { stdio: 'inherit' })
try {
  await once(graphile, 'message')
  await withPlace('postgres', postgresUrl, async (_, store: Store) => compare(await lead(store), graphile))
} finally {
  graphile.disconnect()
}
