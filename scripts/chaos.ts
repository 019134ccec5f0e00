/**
 * npm run chaos -- [--minutes n] [--engine sqlite|postgres|both] [--seed n]: real processes under random kills, on both
 * engines by turns. Prints what was done and what was wrong; the exit code is 1 when anything was, or when a kind of
 * kill did not come about.
 */
import { parseArgs } from 'node:util'
import { runChaos } from '../test/helpers/chaos/chaos.ts'
import type { ChaosOptions } from '../test/helpers/chaos/chaos.ts'
import { chaosTable } from '../test/helpers/chaos/table.ts'
import type { Engine } from '../test/helpers/places.ts'
import { startPostgres } from '../test/helpers/postgres-server.ts'

const ENGINES: Readonly<Record<string, readonly Engine[]>> = {
  sqlite: ['sqlite'],
  postgres: ['postgres'],
  both: ['sqlite', 'postgres'],
}
const EVERY_MS = 200
const REST_MS = 60_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    /** Another build than dist-test/bin.js. */
    bin: { type: 'string' },
  },
})
const engines = ENGINES[values.engine]
const minutes = Number(values.minutes)
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed)
if (engines === undefined || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run chaos -- [--minutes n] [--engine sqlite|postgres|both] [--seed n]')
  process.exitCode = 2
} else {
  const signal = whenAsked()
  const server = engines.includes('postgres') ? await startPostgres() : null
  try {
    for (const engine of engines)
      await storm(engine, { postgresUrl: server?.url ?? '', signal, stormMs: (minutes * 60_000) / engines.length })
  } finally {
    await server?.stop()
  }
}

/** Nothing is left behind: whoever asks us to end waits until all is cleared away. */
function whenAsked(): AbortSignal {
  const asked = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => asked.abort())
  return asked.signal
}

async function storm(engine: Engine, how: Pick<ChaosOptions, 'postgresUrl' | 'signal' | 'stormMs'>): Promise<void> {
  const given = values.bin === undefined ? {} : { bin: values.bin }
  const report = await runChaos({ engine, seed, restMs: REST_MS, everyMs: EVERY_MS, ...how, ...given })
  console.log(chaosTable(report))
  if (report.faults.length > 0) process.exitCode = 1
}
