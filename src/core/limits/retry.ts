/** What a failure costs: one limit resolver and one back-off curve for every path that ends a run. */
import type { BoardSettings } from '../board.ts'
import type { Task } from '../task.ts'
import type { Outcome } from '../vocabulary.ts'

/** The one limit resolver: the card's own, else the board's. */
export const failureLimit = (task: Pick<Task, 'maxRetries'>, settings: BoardSettings): number =>
  task.maxRetries ?? settings.failureLimit

/** Forgetting to say how a run went has its own streak and never spends the failures of the work itself. */
export const protocolLimit = (task: Pick<Task, 'maxRetries'>, settings: BoardSettings): number =>
  task.maxRetries ?? settings.protocolLimit

/** base, 2·base, 4·base … up to max, for the nth (1-based) time in a row. */
export const backOff = (nth: number, baseMs: number, maxMs: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(Math.max(nth - 1, 0), 40))

/** No plan renews later than within a year. */
const LONGEST_QUOTA_MS = 366 * 86_400_000

/** When a quota comes back, as a provider said it; null where that is over already, or too far away to be meant. */
export const namedReset = (said: number | null | undefined, now: number): number | null =>
  said != null && said > now && said - now <= LONGEST_QUOTA_MS ? said : null

/**
 * Until when a limit is waited out that was met for the nth time in a row: until the reset that was named, else longer
 * each time. Whoever names one again and again is not taken at its word: that would be a start every few seconds.
 */
export function limitEnd(nth: number, said: number | null | undefined, settings: BoardSettings, now: number): number {
  const { rateLimitBaseMs, rateLimitMaxMs } = settings
  const named = namedReset(said, now)
  if (named === null) return now + backOff(nth, rateLimitBaseMs, rateLimitMaxMs)
  return nth > 1 ? Math.max(named, now + backOff(nth - 1, rateLimitBaseMs, rateLimitMaxMs)) : named
}

/** Only the agent's own failures count. */
const COUNTED: readonly Outcome[] = ['crashed', 'timed_out', 'spawn_failed', 'checks_failed']
export const isCounted = (outcome: Outcome): boolean => COUNTED.includes(outcome)

/** Every ending but these two spends an attempt of the attempts bound. */
export const UNBOUNDED_OUTCOMES: readonly Outcome[] = ['rate_limited', 'stopped']

export const ERROR_EXCERPT = 500
