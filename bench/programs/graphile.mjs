// Runs graphile-worker for bench/programs/lifecycle-postgres.ts: on each message it adds jobs, runs them, and answers
// with the milliseconds per job. Jobs do nothing, so only taking and completing them is measured.
import { EventEmitter, once } from 'node:events'

// The name is in a variable, so that the type check does not need the package.
const packageName = 'graphile-worker'
const { Logger, makeWorkerUtils, run } = await import(packageName)

const connectionString = process.argv[2]
const schema = 'graphile_bench'
const logger = new Logger(() => () => {})

const utils = await makeWorkerUtils({ connectionString, schema, logger })
await utils.migrate()

/** @param {number} count */
async function addJobs(count) {
  const add = `select count(${schema}.add_job('noop', json_build_object('n', n))) from generate_series(1, ${count}) n`
  await utils.withPgClient((/** @type {{ query(text: string): unknown }} */ client) => client.query(add))
}

/**
 * @param {number} count
 * @param {number} concurrency
 */
async function workOff(count, concurrency) {
  await addJobs(count)
  const events = new EventEmitter()
  let first = 0
  let done = 0
  const finished = new Promise((resolve) => {
    events.on('job:start', () => (first ||= performance.now()))
    events.on('job:complete', () => ++done === count && resolve(performance.now()))
  })
  const options = { connectionString, schema, logger, events, concurrency, maxPoolSize: concurrency + 2 }
  const runner = await run({ ...options, noHandleSignals: true, taskList: { noop: async () => {} } })
  const last = await finished
  await runner.stop()
  return (last - first) / count
}

/** @param {{ count: number, concurrency: number }} asked */
const answer = async ({ count, concurrency }) => process.send?.({ ms: await workOff(count, concurrency) })

process.on('message', (/** @type {{ count: number, concurrency: number }} */ asked) => void answer(asked))
process.send?.({ ms: 0 })
await once(process, 'disconnect')
await utils.release()
