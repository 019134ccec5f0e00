/** Repeats an action after a temporary failure of the store, the disk or the machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTemporary } from '../core/errors.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000
const BRIEFLY_MS = 3_000

interface RetryLimits {
  readonly forMs?: number
  /** Aborting this signal ends the wait for the next try with an error. */
  readonly signal?: AbortSignal
}

/** Repeats the work after a temporary error, and waits longer each time. Every other error is thrown at once. */
export async function retryUntilAvailable<T>(
  work: () => Promise<T>,
  { forMs = Infinity, signal }: RetryLimits = {},
): Promise<T> {
  const deadline = performance.now() + forMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isTemporary(error) || performance.now() + waitMs > deadline) throw error
      await sleep(waitMs, undefined, signal === undefined ? {} : { signal })
    }
  }
}

/**
 * Runs a write that must not delay the caller. Stops waiting after a short time, even if the store never answers, and
 * never rejects.
 */
export async function tryBriefly(work: () => Promise<unknown>, forMs = BRIEFLY_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, forMs)))
  try {
    await Promise.race([retryUntilAvailable(work, { forMs }), late])
  } catch {
    // The caller continues even if the write failed.
  } finally {
    clearTimeout(timer)
  }
}

/** System errors of a machine that lacks a resource. They are temporary, and not the agent's fault. */
const SHORTAGES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']

/** Whether the error, or one of its causes, is a shortage. */
export function isShortage(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  return SHORTAGES.includes(code) || (cause !== undefined && isShortage(cause))
}
