/** Simulates many seeds, several of them at once. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { Answer, Order } from './entry.ts'

export interface Batch {
  /** The bundle (bundle.ts). */
  readonly path: string
  readonly orders: Iterable<Order>
  /**
   * Called for each answer. If the callback returns false, the batch ends at once, because simulations of a known bug
   * that still run can take a minute.
   */
  readonly onAnswer: (answer: Answer) => boolean
  readonly workers?: number
}

export async function simulateAll({ path, orders, onAnswer, workers = availableParallelism() }: Batch): Promise<void> {
  const left = orders[Symbol.iterator]()
  const pool = Array.from({ length: workers }, () => start(path))
  const endAll = () => Promise.all(pool.map(end))
  let goesOn = true
  const work = async (worker: ChildProcess): Promise<void> => {
    for (let next = left.next(); goesOn && !next.done; next = left.next()) {
      const answer = await ask(worker, next.value)
      if (answer === null || !goesOn) return
      goesOn = onAnswer(answer)
      if (!goesOn) await endAll()
    }
  }
  try {
    await Promise.all(pool.map(work))
  } finally {
    await endAll()
  }
}

/**
 * Starts a worker as a process and not as a thread: terminating a thread inside a call of SQLite can crash the process
 * that started it.
 */
const start = (path: string): ChildProcess =>
  fork(path, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })

const hasEnded = (worker: ChildProcess): boolean => worker.exitCode !== null || worker.signalCode !== null

const end = (worker: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (hasEnded(worker)) return resolve()
    worker.once('exit', () => resolve())
    worker.kill('SIGKILL')
  })

/** Sends an order to a worker. Returns null if the pool ended the worker. */
const ask = (worker: ChildProcess, order: Order): Promise<Answer | null> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      worker.killed ? resolve(null) : reject(new Error(`seed ${order.seed}: the simulator exited with ${code}`))
    worker.once('exit', onExit)
    worker.once('message', (answer: Answer) => {
      worker.off('exit', onExit)
      resolve(answer)
    })
    worker.send(order)
  })
