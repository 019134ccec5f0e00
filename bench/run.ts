/**
 * npm run bench [-- name...]: prints `ratio <name> <value> <op><target>` lines. The exit code does not depend on the
 * ratios.
 */
import { startPostgres } from '../test/helpers/postgres-server.ts'
import { benchCli } from './cli.bench.ts'
import { benchContend } from './contend.bench.ts'
import { benchDashboard } from './dashboard.bench.ts'
import { benchGrowth } from './growth.bench.ts'
import { benchHarness } from './harness.bench.ts'
import { benchHttp } from './http.bench.ts'
import { benchIdle } from './idle.bench.ts'
import { benchLatency } from './latency.bench.ts'
import { benchLifecycle, benchLifecyclePostgres } from './lifecycle.bench.ts'
import { benchMcp } from './mcp.bench.ts'
import { benchRequests } from './requests.bench.ts'
import { benchTail } from './tail.bench.ts'
import { benchTick } from './tick.bench.ts'
import { benchWake } from './wake.bench.ts'

const BENCHES: Readonly<Record<string, (postgresUrl: string) => Promise<void>>> = {
  lifecycle: benchLifecycle,
  'lifecycle-postgres': benchLifecyclePostgres,
  contend: benchContend,
  wake: benchWake,
  cli: benchCli,
  tail: benchTail,
  latency: benchLatency,
  tick: benchTick,
  idle: benchIdle,
  growth: benchGrowth,
  http: benchHttp,
  requests: benchRequests,
  mcp: benchMcp,
  harness: benchHarness,
  dashboard: benchDashboard,
}

/** Parts of other benches. They run only if they are named. */
const PARTS = ['lifecycle-postgres']

const all = Object.keys(BENCHES).filter((name) => !PARTS.includes(name))
/** `--quick` shortens the benches that know it. */
const given = process.argv.slice(2).filter((name) => name !== '--quick')
const chosen = given.length > 0 ? given : all
const unknown = chosen.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`Unknown bench: ${unknown.join(', ')}. Choose from ${Object.keys(BENCHES).join(', ')}.`)
  process.exitCode = 2
} else {
  const server = await startPostgres()
  try {
    for (const name of chosen) await timed(name, server.url)
  } finally {
    await server.stop()
  }
}

async function timed(name: string, postgresUrl: string): Promise<void> {
  const started = performance.now()
  await BENCHES[name]?.(postgresUrl)
  console.log(`      ${name} took ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
