import type { SupervisedRun } from './supervised-run.ts'

/** The longest delay that `setTimeout` supports. Node fires longer timers at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Calls `ring` once, after `ms` by the monotonic clock. */
export function setAlarm(ms: number, ring: () => void): { stop(): void } {
  const due = performance.now() + ms
  let timer: NodeJS.Timeout
  const arm = (): void => {
    const left = due - performance.now()
    timer =
      left <= 0
        ? setTimeout(ring, 0)
        : setTimeout(left > LONGEST_TIMER_MS ? arm : ring, Math.min(left, LONGEST_TIMER_MS))
  }
  arm()
  return { stop: () => clearTimeout(timer) }
}

/**
 * Calls back when the run exceeds its time limit. The limit covers all turns of the run and counts from the
 * registration of the supervisor. The alarm uses the monotonic clock, so that a change of the system clock ends no run.
 */
export function runtimeAlarm(
  { run, guardedAt }: Pick<SupervisedRun, 'run' | 'guardedAt'>,
  ring: () => void,
): { stop(): void } {
  const { maxRuntimeMs } = run
  return maxRuntimeMs === null ? { stop: () => {} } : setAlarm(guardedAt + maxRuntimeMs - performance.now(), ring)
}
