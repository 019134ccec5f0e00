import { setTimeout as sleep } from 'node:timers/promises'
import { mayPass } from '../core/errors.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000

interface Patience {
  readonly forMs?: number
  /** Ends the waiting; the error of the last try, or that of the signal, is thrown. */
  readonly signal?: AbortSignal
}

/** Tries until the store answers and has room, waiting longer each time. Every other error is thrown at once. */
export async function patiently<T>(work: () => Promise<T>, { forMs = Infinity, signal }: Patience = {}): Promise<T> {
  const deadline = performance.now() + forMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error) || performance.now() + waitMs > deadline) throw error
      await sleep(waitMs, undefined, signal === undefined ? {} : { signal })
    }
  }
}
