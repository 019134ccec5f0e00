/**
 * npm run chaos -- [--minutes n] [--engine sqlite|postgres|both] [--seed n]: runs real processes under random kills, on
 * one engine after the other. Prints counts and violations. The exit code is 1 if there are violations or a kind of
 * signal was never sent.
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
    /** The program to test; default dist-test/bin.js. */
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
  const signal = abortOnSignal()
  const server = engines.includes('postgres') ? await startPostgres() : null
  try {
    for (const engine of engines)
      await runOn(engine, { postgresUrl: server?.url ?? '', signal, injectMs: (minutes * 60_000) / engines.length })
  } finally {
    await server?.stop()
  }
}

/** Aborts on a signal, so that the test ends its processes before it exits. */
function abortOnSignal(): AbortSignal {
  const asked = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => asked.abort())
  return asked.signal
}

async function runOn(engine: Engine, how: Pick<ChaosOptions, 'postgresUrl' | 'signal' | 'injectMs'>): Promise<void> {
  const given = values.bin === undefined ? {} : { bin: values.bin }
  const report = await runChaos({ engine, seed, restMs: REST_MS, everyMs: EVERY_MS, ...how, ...given })
  console.log(chaosTable(report))
  if (report.faults.length > 0) process.exitCode = 1
}
