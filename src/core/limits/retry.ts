/** The failure limits and the retry delays, shared by every path that ends a run. */
import type { BoardSettings } from '../board.ts'
import type { Task } from '../task.ts'
import type { Outcome } from '../vocabulary.ts'

/** The card's own limit if it has one, otherwise the board's. */
export const failureLimit = (task: Pick<Task, 'maxRetries'>, settings: BoardSettings): number =>
  task.maxRetries ?? settings.failureLimit

/** The limit on missing verdicts, which are counted separately from failures. */
export const protocolLimit = (task: Pick<Task, 'maxRetries'>, settings: BoardSettings): number =>
  task.maxRetries ?? settings.protocolLimit

/** The delay before the nth retry in a row, counted from 1: base, 2·base, 4·base … up to max. */
export const backOff = (nth: number, baseMs: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(nth - 1, 0), 40))

/** The longest wait for a quota that is plausible: every subscription renews its quota within a year. */
const LONGEST_QUOTA_MS = 366 * 86_400_000

/** The reset time that a provider named; null if it has passed or is too far away to be real. */
export const namedReset = (named: number | null | undefined, now: number): number | null =>
  named != null && named > now && named - now <= LONGEST_QUOTA_MS ? named : null

/**
 * When the wait after the nth rate limit in a row ends: at the reset time that the provider named, otherwise after a
 * growing delay. Repeated short reset times are ignored; otherwise a run would start every few seconds.
 */
export function rateLimitEnd(
  nth: number,
  resetAt: number | null | undefined,
  settings: BoardSettings,
  now: number,
): number {
  const { rateLimitBaseMs, rateLimitMaxMs } = settings
  const named = namedReset(resetAt, now)
  if (named === null) return now + backOff(nth, rateLimitBaseMs, rateLimitMaxMs)
  return nth > 1 ? Math.max(named, now + backOff(nth - 1, rateLimitBaseMs, rateLimitMaxMs)) : named
}

/** Outcomes that count as a failure of the agent. */
const COUNTED: readonly Outcome[] = ['crashed', 'timed_out', 'spawn_failed', 'checks_failed']
export const isCounted = (outcome: Outcome): boolean => COUNTED.includes(outcome)

/** Runs with these outcomes do not count against the attempts limit. */
export const OUTCOMES_WITHOUT_ATTEMPT: readonly Outcome[] = ['rate_limited', 'stopped']

export const ERROR_EXCERPT = 500
