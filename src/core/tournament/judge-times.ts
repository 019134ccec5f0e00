/** When the judge of a tournament is asked again. */

const MINUTE = 60_000

/** The number of retries after the first try. After the last one, a person picks. */
const JUDGE_RETRIES = 3

/** How long a try may take before another machine may try. It is longer than two answers of a slow model. */
export const JUDGE_LEASE_MS = 30 * MINUTE

/** The time of the next try. Null means that no try is left. */
export const nextJudgeAt = (attempts: number, now: number, retryMs: number): number | null =>
  attempts > JUDGE_RETRIES ? null : now + retryMs * 2 ** (attempts - 1)
