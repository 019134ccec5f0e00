/** Simulates many seeds, several at once. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Answer, Order } from './entry.ts'

export interface Batch {
  /** The bundle (bundle.ts). */
  readonly path: string
  readonly orders: Iterable<Order>
  /** Called for each answer. If the callback returns false, the batch ends early. */
  readonly onAnswer: (answer: Answer) => boolean
  readonly workers?: number
}

export async function simulateAll({ path, orders, onAnswer, workers = availableParallelism() }: Batch): Promise<void> {
  const left = orders[Symbol.iterator]()
  let goesOn = true
  const work = async (): Promise<void> => {
    const worker = new Worker(path, { stdout: false })
    try {
      for (let next = left.next(); goesOn && !next.done; next = left.next()) {
        const answer = await ask(worker, next.value)
        goesOn = onAnswer(answer) && goesOn
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
}

const ask = (worker: Worker, order: Order): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new Error(`seed ${order.seed}: ${error.message}`, { cause: error }))
    worker.once('error', fail)
    worker.once('message', (answer: Answer) => {
      worker.off('error', fail)
      resolve(answer)
    })
    worker.postMessage(order)
  })
