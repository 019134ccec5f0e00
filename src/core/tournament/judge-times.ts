/** When the judge of a tournament is asked again. */

const SECOND = 1_000

/** The number of retries after the first failure. After the last one, a person picks. */
const JUDGE_RETRIES = 3

/**
 * The number of tries that a tournament may begin. A try that was interrupted is not a failure, but the tries of a
 * program that always dies must end too.
 */
export const JUDGE_TRIES = 20

/**
 * How long a try belongs to its machine. The machine renews the try while it waits for the answer, so another machine
 * takes over soon after a crash.
 */
export const JUDGE_LEASE_MS = 60 * SECOND
export const JUDGE_RENEW_MS = 20 * SECOND

/** The longest time to wait for an answer. */
export const JUDGE_ANSWER_MS = 15 * 60 * SECOND

/** The time of the next try. Null means that no try is left. */
export const nextJudgeAt = (failures: number, now: number, retryMs: number): number | null =>
  failures > JUDGE_RETRIES ? null : now + retryMs * 2 ** (failures - 1)
