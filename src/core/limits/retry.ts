/** The failure limits and the delays of retries. */
import type { BoardSettings } from '../board.ts'
import type { Task } from '../task.ts'
import type { Outcome } from '../vocabulary.ts'

/** The failure limit of the card. If the card has none, the limit of the board applies. */
export const failureLimit = (task: Pick<Task, 'maxRetries'>, settings: BoardSettings): number =>
  task.maxRetries ?? settings.failureLimit

/** The limit on missing verdicts. Missing verdicts have their own counter. */
export const protocolLimit = (task: Pick<Task, 'maxRetries'>, settings: BoardSettings): number =>
  task.maxRetries ?? settings.protocolLimit

/** The delay before the nth retry in a row, counted from 1: base, 2·base, 4·base, and so on up to max. */
export const backOff = (nth: number, baseMs: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(nth - 1, 0), 40))

/** The longest plausible wait for a quota. Every subscription renews its quota within a year. */
const LONGEST_QUOTA_MS = 366 * 86_400_000

/**
 * Returns the reset time that a provider named. Null means that this time is in the past, or too far away to be real.
 */
export const namedReset = (named: number | null | undefined, now: number): number | null =>
  named != null && named > now && named - now <= LONGEST_QUOTA_MS ? named : null

/**
 * The end of the wait after the nth rate limit in a row. This is the reset time that the provider named, otherwise the
 * end of a growing delay. Repeated short reset times are ignored; otherwise a run would start every few seconds.
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

/** The outcomes that count as a failure of the agent. */
const COUNTED: readonly Outcome[] = ['crashed', 'timed_out', 'spawn_failed', 'checks_failed']
export const isCounted = (outcome: Outcome): boolean => COUNTED.includes(outcome)

/** Whether statistics count the outcome as a failure. They also count a protocol violation, which has its own limit. */
export const isFailure = (outcome: Outcome): boolean => isCounted(outcome) || outcome === 'protocol_violation'

/** Runs with these outcomes do not count against the attempts limit. */
export const OUTCOMES_WITHOUT_ATTEMPT: readonly Outcome[] = ['rate_limited', 'stopped']

export const ERROR_EXCERPT = 500
