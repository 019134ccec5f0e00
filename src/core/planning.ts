/**
 * The rules for cards that the board plans by itself (`autoDecompose`). Each try is recorded on the card before the
 * model is asked, so a crash cannot repeat it without end, and two machines never plan one card at the same time.
 */
import type { Task } from './task.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The number of tries in an hour, over all cards of a board. */
export const PLANS_PER_HOUR = 10
export const PLAN_WINDOW_MS = HOUR

/** The number of tries of one card. After the last one, the card waits for a person. */
export const PLAN_ATTEMPTS = 5

/** How long a try may take before another machine may try. It is longer than two answers of a slow model. */
export const PLAN_LEASE_MS = 30 * MINUTE

/** The wait doubles with each try. It is never shorter than the window, so a card has at most one try in it. */
const RETRY_MS = HOUR
/** Later than any clock shows. */
export const NEVER = 8_640_000_000_000_000

export const nextPlanAt = (attempts: number, now: number): number =>
  attempts >= PLAN_ATTEMPTS ? NEVER : now + RETRY_MS * 2 ** Math.max(0, attempts - 1)

/**
 * Whether the card is an idea that nobody has planned or worked on. A card that the board moved to triage after blocks
 * or failures needs a person.
 */
export const isNewIdea = (task: Pick<Task, 'blockKind' | 'decomposedAt' | 'startedAt'>): boolean =>
  task.blockKind === null && task.decomposedAt === null && task.startedAt === null
