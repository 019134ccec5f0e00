import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How long a stream may take to end normally after an abort. If the store answers, the stream ends within this time.
 */
const GRACE_MS = 500

/**
 * Yields the values of a stream. After an abort, the function does not wait for the stream, because the store may never
 * answer.
 */
export async function* endOnAbort<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const stream = values[Symbol.asyncIterator]()
  const consumed = new AbortController()
  const abandoned = once(signal, 'abort', { signal: consumed.signal }).then(() => sleep(GRACE_MS, null, { ref: false }))
  // If the stream ends before an abort, `abandoned` rejects, which is not an error.
  abandoned.catch(() => undefined)
  let step: IteratorResult<T> | null = null
  try {
    do {
      step = await Promise.race([stream.next(), abandoned])
      if (step !== null && step.done !== true) yield step.value
    } while (step !== null && step.done !== true)
  } finally {
    consumed.abort()
    // Ends the stream if the consumer stopped early. After an abort, the stream cannot be ended before the store
    // answers.
    if (step !== null && step.done !== true) await stream.return?.()
  }
}
