/** Runs a task on request, one run at a time and not too often. If the store does not answer, it retries the task. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError } from '../../core/errors.ts'
import { makeAlarmClock } from '../../util/alarm-clock.ts'

export interface Repeater {
  ring(): void
  end(): Promise<void>
}

interface How {
  readonly signal: AbortSignal
  /** The minimum time between two runs. */
  readonly everyMs: number
  /** The time until the task runs without a request. Null means only on request. */
  readonly idleMs: () => number | null
  readonly fail: (error: unknown) => void
}

const NEVER_MS = 2 ** 31 - 1
const RETRY_MS = 1_000

export function makeRepeater({ signal, everyMs, idleMs, fail }: How, task: () => Promise<void>): Repeater {
  const clock = makeAlarmClock()
  signal.addEventListener('abort', () => clock.ring())
  /** Runs the task once. Returns whether the store answered. */
  const attempt = async (): Promise<boolean> => {
    try {
      await task()
      return true
    } catch (error) {
      if (error instanceof BoardError && error.retryable) return false
      // When the screen ends, the store is closed, so the last query may fail.
      if (!signal.aborted) fail(error)
      return true
    }
  }
  const work = async (): Promise<void> => {
    let waitMs = NEVER_MS
    while (!signal.aborted) {
      await clock.sleep(waitMs)
      if (signal.aborted) return
      const isDone = await attempt()
      await sleep(everyMs, undefined, { signal }).catch(() => undefined)
      waitMs = isDone ? (idleMs() ?? NEVER_MS) : RETRY_MS
    }
  }
  const done = work()
  return { ring: () => clock.ring(), end: () => done }
}
