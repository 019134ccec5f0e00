import { withPlace } from '../test/helpers/places.ts'
import { withWorkers } from '../test/helpers/processes.ts'
import { examined, percentile } from '../test/helpers/proofs/proof.ts'
import { info, ratio } from './report.ts'

const PROCESSES = 8
const COMMITS = 500

/** Eight processes commit to one SQLite file as fast as possible. Measures the time of a commit, including its wait. */
export async function benchContend(): Promise<void> {
  const { reports, seconds, faults } = await withPlace('sqlite', '', async (location, store) => {
    const { reports, seconds } = await withWorkers(location, PROCESSES, async (workers) => {
      const started = performance.now()
      const reports = await Promise.all(workers.map((worker) => worker.run('write', { count: COMMITS })))
      return { reports, seconds: (performance.now() - started) / 1000 }
    })
    const { counts, faults } = { counts: await store.counts('main'), faults: await examined(store) }
    const lost = PROCESSES * COMMITS - counts.ready
    return { reports, seconds, faults: lost === 0 ? faults : [...faults, `${lost} cards lost`] }
  })
  const commitMs = reports.flatMap((report) => report.commitMs)
  ratio('contend-p99-ms', percentile(commitMs, 0.99), '<=30')
  ratio('contend-worst-ms', Math.max(...commitMs), '<=200')
  ratio('contend-lost', faults.length, '<=0')
  info(`${(commitMs.length / seconds).toFixed(0)} commits a second, p50 ${percentile(commitMs, 0.5).toFixed(1)} ms`)
  for (const fault of faults) info(fault)
}
