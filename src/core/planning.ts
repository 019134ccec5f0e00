/**
 * The limits for planning cards without a person (`autoDecompose`). Each planning attempt is recorded on the card
 * before the model is asked. So a crash cannot repeat an attempt without end, and two machines never plan the same card
 * at once.
 */
import type { Task } from './task.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The maximum number of planning attempts on one board within `PLAN_WINDOW_MS`. */
export const PLANS_PER_HOUR = 10
export const PLAN_WINDOW_MS = HOUR

/** The maximum number of planning attempts for one card. After the last one, the card waits for a person. */
export const PLAN_ATTEMPTS = 5

/**
 * How long a planning attempt may take before another machine may start one. A slow model can answer twice in this
 * time.
 */
export const PLAN_LEASE_MS = 30 * MINUTE

/**
 * The first wait; it doubles with each attempt. It is as long as the window, so a card has at most one attempt per
 * window.
 */
const RETRY_MS = HOUR
/** The largest valid date, so this time never comes. */
export const NEVER = 8_640_000_000_000_000

export const nextPlanAt = (attempts: number, now: number): number =>
  attempts >= PLAN_ATTEMPTS ? NEVER : now + RETRY_MS * 2 ** Math.max(0, attempts - 1)

/**
 * Whether the card has never been planned, and no agent or person has worked on it. A card that Muster moved to triage
 * after blocks or failures is not a new idea, so a person must look at it.
 */
export const isNewIdea = (task: Pick<Task, 'blockKind' | 'decomposedAt' | 'startedAt'>): boolean =>
  task.blockKind === null && task.decomposedAt === null && task.startedAt === null
