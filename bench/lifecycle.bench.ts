import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bundleProgram, childEnvironment } from '../test/helpers/processes.ts'
import { startPostgres } from '../test/helpers/postgres-server.ts'

/** Runs a program in a separate process, bundled like the product, so that no loader is measured. */
async function runProgram(source: string, args: readonly string[]): Promise<void> {
  const program = await bundleProgram(source)
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit', env: childEnvironment() })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`${source} failed (${code})`)
}

/** This program is not bundled, because the bundler cannot include its dependencies. */
const GRAPHILE = fileURLToPath(new URL('programs/graphile.mjs', import.meta.url))

export async function benchLifecycle(): Promise<void> {
  await runProgram('bench/programs/lifecycle.ts', [])
  await benchLifecyclePostgres()
}

export async function benchLifecyclePostgres(): Promise<void> {
  const server = await startPostgres({ durable: true })
  try {
    await runProgram('bench/programs/lifecycle-postgres.ts', [server.url, GRAPHILE])
  } finally {
    await server.stop()
  }
}
