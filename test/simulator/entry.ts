/** The entry point of the bundle: a process that simulates the seeds it receives, one after the other. */
import { createHash } from 'node:crypto'
import { useFileHelper } from '../../src/file-helper/call-file-helper.ts'
import { runTaskHere } from '../../src/file-helper/run-task.ts'
import { MemoryStore } from './memory-store.ts'
import { SeriesMonth } from './series-month.ts'
import type { Length, SeedReport } from './world.ts'
import { World } from './world.ts'

export interface Order extends Length {
  readonly seed: number
  /** Whether to log every step. */
  readonly traced: boolean
  /** Whether to simulate a month of recurring cards instead of a board with faults. */
  readonly month?: true
}

export interface Answer {
  readonly report: SeedReport
  readonly trace: readonly string[]
  /** A hash of the trace. The same seed always gives the same hash. */
  readonly fingerprint: string
}

// Simulated processes need no file helper: their files are simulated, and their store takes no locks.
useFileHelper(runTaskHere)

let clock: (() => number) | null = null
let world: World | null = null
let memory: MemoryStore | null = null

async function simulate({ seed, traced, ...length }: Order): Promise<Answer> {
  memory ??= new MemoryStore(() => clock?.() ?? 0)
  const made = new World(seed, memory)
  world = made
  clock = () => made.storeClock()
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

async function simulateMonth({ seed }: Order): Promise<Answer> {
  memory ??= new MemoryStore(() => clock?.() ?? 0)
  const month = new SeriesMonth(seed, memory)
  clock = () => month.storeClock()
  return { report: await month.run(), trace: [], fingerprint: '' }
}

globalThis.process.on('message', (order: Order) => {
  const answered = order.month === true ? simulateMonth(order) : simulate(order)
  answered.then(
    (answer) => globalThis.process.send?.(answer),
    // The error is thrown outside the promise, so that it ends the process and the pool reports its output.
    (error: unknown) =>
      setImmediate(() => {
        throw error
      }),
  )
})
