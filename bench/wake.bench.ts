import { setTimeout as sleep } from 'node:timers/promises'
import { withPlace } from '../test/helpers/places.ts'
import type { Engine } from '../test/helpers/places.ts'
import { withWorkers } from '../test/helpers/processes.ts'
import { percentile } from '../test/helpers/proofs/proof.ts'
import type { Moment } from '../test/fixtures/store-worker-jobs.ts'
import { info, ratio } from './report.ts'

const COMMITS = 500
const EVERY_MS = 10
const IDLE = { settleMs: 2_000, ms: 15_000 }

/**
 * From asking for a commit in one process to the handler that finds it in another: the whole of the commit is in the
 * figure, so it is an upper bound of the wake-up.
 */
export async function benchWake(postgresUrl: string): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) await wakeUps(engine, postgresUrl)
  const shares = await Promise.all((['sqlite', 'postgres'] as const).map((engine) => idleShare(engine, postgresUrl)))
  ratio('wake-idle-percent-sqlite', (shares[0] ?? 0) * 100, '<=0.1')
  ratio('wake-idle-percent-postgres', (shares[1] ?? 0) * 100, '<=0.1')
}

async function wakeUps(engine: Engine, postgresUrl: string): Promise<void> {
  const [asked, seen] = await withPlace(engine, postgresUrl, (location) =>
    withWorkers(location, 2, async ([writer, watcher]) => {
      if (writer === undefined || watcher === undefined) throw new Error('no workers')
      let seen: Promise<readonly Moment[]> = Promise.resolve([])
      await new Promise((resolve, reject) => {
        seen = watcher.run('watch', {}, resolve)
        seen.catch(reject)
      })
      const asked = await writer.run('writeSparsely', { count: COMMITS, everyMs: EVERY_MS })
      await sleep(1_500)
      watcher.stop()
      return [asked, await seen] as const
    }),
  )
  const calledAt = new Map(seen)
  const ms = asked.map(([id, at]) => (calledAt.get(id) ?? Infinity) - at)
  ratio(`wake-p99-ms-${engine}`, percentile(ms, 0.99), '<=10')
  info(`${engine}: p50 ${percentile(ms, 0.5).toFixed(2)} ms, worst ${Math.max(...ms).toFixed(1)} ms, commit included`)
}

const idleShare = (engine: Engine, postgresUrl: string): Promise<number> =>
  withPlace(engine, postgresUrl, (location) =>
    withWorkers(location, 1, async ([watcher]) => {
      if (watcher === undefined) throw new Error('no worker')
      return watcher.run('watchIdly', IDLE)
    }),
  )
