/** The entry point of the bundle: a worker thread that simulates the seeds it receives, one after the other. */
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { useFileHelper } from '../../src/file-helper/call-file-helper.ts'
import { runTaskHere } from '../../src/file-helper/run-task.ts'
import { MemoryStore } from './memory-store.ts'
import type { Length, SeedReport } from './world.ts'
import { World } from './world.ts'

export interface Order extends Length {
  readonly seed: number
  /** Whether to log every step. */
  readonly traced: boolean
}

export interface Answer {
  readonly report: SeedReport
  readonly trace: readonly string[]
  /** A hash of the trace; the same seed always gives the same hash. */
  readonly fingerprint: string
}

// Simulated processes need no file helper: their files are simulated, and their store takes no locks.
useFileHelper(runTaskHere)

let world: World | null = null
let memory: MemoryStore | null = null

async function simulate({ seed, traced, ...length }: Order): Promise<Answer> {
  memory ??= new MemoryStore(() => world?.storeClock() ?? 0)
  world = new World(seed, memory)
  const trace: string[] = []
  const hash = createHash('sha256')
  world.kernel.trace = (line) => {
    hash.update(line)
    if (traced) trace.push(line)
  }
  const report = await world.run(length)
  return { report, trace, fingerprint: hash.digest('hex').slice(0, 16) }
}

// An unhandled rejection ends a real process; here it fails the current simulation.
globalThis.process.on('unhandledRejection', (error) => {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
  world?.oracle.faults.push(`unhandled rejection: ${words}`)
})

parentPort?.on('message', (order: Order) => {
  simulate(order).then(
    (answer) => parentPort?.postMessage(answer),
    // Throws the error outside the promise, so that it ends the worker thread and the pool reports it.
    (error: unknown) =>
      setImmediate(() => {
        throw error
      }),
  )
})
