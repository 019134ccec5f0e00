import { setTimeout as sleep } from 'node:timers/promises'
import { withPlace } from '../test/helpers/places.ts'
import type { Engine } from '../test/helpers/places.ts'
import { withWorkers } from '../test/helpers/processes.ts'
import { percentile } from '../test/helpers/proofs/proof.ts'
import type { Moment } from '../test/fixtures/store-worker-jobs.ts'
import { info, ratio } from './report.ts'

const ENGINES = ['sqlite', 'postgres'] as const
const COMMITS = 500
const EVERY_MS = 10
/** Node collects its heap some seconds after a process becomes idle, so the measurement starts later. */
const IDLE = { settleMs: 12_000, ms: 15_000 }

/** Measures how soon a commit in one process calls the handler in another, and the CPU time of an idle watcher. */
export async function benchWake(postgresUrl: string): Promise<void> {
  const idling = ENGINES.map((engine) => idleShare(engine, postgresUrl))
  for (const engine of ENGINES) await wakeUps(engine, postgresUrl)
  const shares = await Promise.all(idling)
  for (const [at, engine] of ENGINES.entries())
    ratio(`wake-idle-percent-${engine}`, (shares[at] ?? Infinity) * 100, '<=0.1')
}

async function wakeUps(engine: Engine, postgresUrl: string): Promise<void> {
  const [{ sent, committed }, seen] = await withPlace(engine, postgresUrl, (location) =>
    withWorkers(location, 2, async ([writer, watcher]) => {
      if (writer === undefined || watcher === undefined) throw new Error('no workers')
      let seen: Promise<readonly Moment[]> = Promise.resolve([])
      await new Promise((resolve, reject) => {
        seen = watcher.run('watch', undefined, resolve)
        seen.catch(reject)
      })
      const written = await writer.run('writeSparsely', { count: COMMITS, everyMs: EVERY_MS })
      await sleep(1_500)
      watcher.stop()
      return [written, await seen] as const
    }),
  )
  const calledAt = new Map(seen)
  const since = (moments: readonly Moment[]): number[] =>
    moments.map(([id, at]) => Math.max(0, (calledAt.get(id) ?? Infinity) - at))
  const woken = since(committed)
  ratio(`wake-p99-ms-${engine}`, percentile(woken, 0.99), '<=10')
  info(`${engine}: p50 ${percentile(woken, 0.5).toFixed(2)} ms, worst ${Math.max(...woken).toFixed(1)} ms`)
  const whole = since(sent)
  info(
    `${engine}, the commit included: p50 ${percentile(whole, 0.5).toFixed(2)} ms, p99 ${percentile(whole, 0.99).toFixed(1)} ms`,
  )
}

const idleShare = (engine: Engine, postgresUrl: string): Promise<number> =>
  withPlace(engine, postgresUrl, (location) =>
    withWorkers(location, 1, async ([watcher]) => {
      if (watcher === undefined) throw new Error('no worker')
      return watcher.run('watchIdly', IDLE)
    }),
  )
