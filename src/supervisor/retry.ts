/** Repeats an action after a temporary failure of the store, the disk or the machine. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTemporary } from '../core/errors.ts'
import type { ClaimedRun } from './supervised-run.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 10_000
const BRIEFLY_MS = 3_000

interface RetryLimits {
  readonly forMs?: number
  /** If this signal aborts, the wait for the next attempt ends with an error. */
  readonly signal?: AbortSignal
}

/** Repeats the work after temporary errors, with growing waits. Throws every other error at once. */
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
 * Repeats the work without a time limit, because an open run keeps its card running. After a shutdown signal, it gives
 * up within the grace time, even while the store does not answer. A dispatcher of this machine then settles the run.
 */
export async function retryUntilShutdown<T>(
  { shutdown, ticket }: Pick<ClaimedRun, 'shutdown' | 'ticket'>,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const givenUp = new Promise<never>((_, reject) =>
    over.signal.addEventListener('abort', () => reject(new Error('The store was unreachable until the shutdown.'))),
  )
  let timer: NodeJS.Timeout | undefined
  const endSoon = (): void => void (timer = setTimeout(() => over.abort(), ticket.terminateGraceMs))
  if (shutdown.aborted) endSoon()
  else shutdown.addEventListener('abort', endSoon, { once: true })
  try {
    return await Promise.race([retryUntilAvailable(work, { signal: over.signal }), givenUp])
  } finally {
    clearTimeout(timer)
    shutdown.removeEventListener('abort', endSoon)
    over.abort()
  }
}

/**
 * Runs a write that must not delay the caller. The wait ends after a short time, even if the store never answers. This
 * function never rejects.
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

/** System errors that mean that the machine lacks a resource. They are temporary and not the agent's fault. */
const SHORTAGES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']

/** Whether the error, or its cause, means that the machine lacks a resource. */
export function isShortage(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  return SHORTAGES.includes(code) || (cause !== undefined && isShortage(cause))
}
