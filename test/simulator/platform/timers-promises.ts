/** Replaces `node:timers/promises` for simulated processes. */
import { clearTimeout, setTimeout as startTimer } from './globals.ts'

interface SleepOptions {
  readonly signal?: AbortSignal
}

const setTimeoutPromise = <T>(ms: number, value?: T, { signal }: SleepOptions = {}): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const cut = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = startTimer(() => {
      signal?.removeEventListener('abort', cut)
      resolve(value)
    }, ms)
    if (signal?.aborted) cut()
    else signal?.addEventListener('abort', cut, { once: true })
  })

export { setTimeoutPromise as setTimeout }
export const setImmediate = (): Promise<undefined> => setTimeoutPromise(0)
