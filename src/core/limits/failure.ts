/** The effect of a failed run on its card: counters, limits, the wait before the retry, and the status. */
import type { BoardSettings } from '../board.ts'
import type { EventDraft } from '../event.ts'
import type { Move } from '../moves.ts'
import { NO_WAITS, countBlock } from '../moves.ts'
import { readyOrTodo, restoredStatus } from '../gates/readiness.ts'
import {
  ERROR_EXCERPT,
  OUTCOMES_WITHOUT_ATTEMPT,
  backOff,
  failureLimit,
  isCounted,
  rateLimitEnd,
  protocolLimit,
} from './retry.ts'
import type { Run } from '../run.ts'
import type { Task, TaskPatch } from '../task.ts'
import { cut } from '../text.ts'
import type { GuardReason, Outcome } from '../vocabulary.ts'

export type FailureOutcome = Exclude<
  Outcome,
  'completed' | 'blocked' | 'review_requested' | 'changes_requested' | 'gave_up'
>

export interface FailedEnding {
  readonly outcome: FailureOutcome
  readonly error: string | null
  readonly exitCode: number | null
  readonly signal: string | null
  readonly by: string
  /** The time at which the account's quota resets. Null means that the time is unknown. */
  readonly retryAt?: number | null
  /**
   * The time at which the pause of the account ends. While an account is paused, its cards need no wait of their own.
   */
  readonly accountUntil?: number | null
}

interface FailureContext {
  readonly settings: BoardSettings
  readonly now: number
  /** The number of attempts of the card within the attempts window, including this attempt. */
  readonly recentAttempts: number
}

export function failureMove(task: Task, run: Run, ending: FailedEnding, context: FailureContext): Move {
  if (run.phase === 'check')
    return {
      patch: { status: restoredStatus(task, run.fromStatus), lastError: excerpt(ending.error) },
      events: [endingEvent(run, ending, 0)],
    }
  if (run.phase === 'review') return reviewFailure(task, run, ending, context)
  return workFailure(task, run, ending, context)
}

function workFailure(task: Task, run: Run, ending: FailedEnding, context: FailureContext): Move {
  const counted = countEnding(task, ending, context)
  const event = endingEvent(run, ending, counted.failures, counted.patch.cooldownUntil ?? null)
  const atFailureLimit = counted.limit !== null && counted.failures >= counted.limit
  const atAttemptsLimit = !atFailureLimit && spendsLastAttempt(run, ending, context)
  if (atFailureLimit || atAttemptsLimit) {
    const failures = atAttemptsLimit ? context.recentAttempts : counted.failures
    const limit = atAttemptsLimit ? context.settings.attemptsLimit : (counted.limit ?? 0)
    return giveUp(task, run, ending, { event, counted: counted.patch, failures, limit, atAttemptsLimit, context })
  }
  const guard = isAutomatic(ending.outcome) ? respawnGuard(task, context) : null
  return {
    patch: {
      ...counted.patch,
      status: readyOrTodo(task),
      held: ending.outcome === 'stopped' ? true : task.held,
      ...(guard ? { guardUntil: guard.until, guardReason: guard.reason } : {}),
    },
    events: guard ? [event, { kind: 'respawn_guarded', taskId: task.id, data: guard }] : [event],
  }
}

/**
 * Whether this attempt reaches the attempts limit. Rate limits, stops and reclaims do not count. All other endings
 * count, so that no card retries forever.
 */
const spendsLastAttempt = (run: Run, ending: FailedEnding, { settings, recentAttempts }: FailureContext): boolean =>
  run.kind === 'agent' &&
  !OUTCOMES_WITHOUT_ATTEMPT.includes(ending.outcome) &&
  ending.outcome !== 'reclaimed' &&
  recentAttempts >= settings.attemptsLimit

/**
 * The effect of a failed review. The card stays in review. When the limit is reached, the card is blocked and a person
 * decides.
 */
function reviewFailure(task: Task, run: Run, ending: FailedEnding, context: FailureContext): Move {
  const { settings, now, recentAttempts } = context
  const counted = isCounted(ending.outcome) || ending.outcome === 'protocol_violation'
  const reviewFailures = task.reviewFailures + (counted ? 1 : 0)
  const rateLimits = ending.outcome === 'rate_limited' ? task.rateLimits + 1 : 0
  const wait = rateLimits > 0 ? rateLimitWait(rateLimits, ending, settings, now) : null
  const cooldownUntil =
    wait ?? (counted ? now + backOff(reviewFailures, settings.retryBaseMs, settings.retryMaxMs) : null)
  const event = endingEvent(run, ending, reviewFailures, cooldownUntil)
  const lastError = excerpt(ending.error) ?? task.lastError
  if (spendsLastAttempt(run, ending, context))
    return giveUp(task, run, ending, {
      event,
      counted: { reviewFailures, rateLimits, lastError, resumeStatus: 'review' },
      failures: recentAttempts,
      limit: settings.attemptsLimit,
      atAttemptsLimit: true,
      context,
    })
  return {
    patch: {
      status: 'review',
      reviewFailures,
      breakerOpen: reviewFailures >= failureLimit(task, settings),
      rateLimits,
      lastError,
      held: ending.outcome === 'stopped' ? true : task.held,
      cooldownUntil,
      cooldownReason: cooldownUntil === null ? null : wait === null ? 'retry' : 'rate_limit',
    },
    events: [event],
  }
}

interface Counted {
  readonly patch: TaskPatch
  readonly failures: number
  /**
   * The number of failures in a row that blocks the card. Null means that this kind of ending does not count as a
   * failure.
   */
  readonly limit: number | null
}

function countEnding(task: Task, ending: FailedEnding, { settings, now }: FailureContext): Counted {
  const lastError = excerpt(ending.error) ?? task.lastError
  const retryIn = (nth: number): TaskPatch => ({
    cooldownUntil: now + backOff(nth, settings.retryBaseMs, settings.retryMaxMs),
    cooldownReason: 'retry',
  })
  if (isCounted(ending.outcome)) {
    const failures = task.consecutiveFailures + 1
    return {
      failures,
      limit: failureLimit(task, settings),
      patch: { consecutiveFailures: failures, rateLimits: 0, lastError, ...retryIn(failures) },
    }
  }
  if (ending.outcome === 'protocol_violation') {
    const streak = task.protocolViolations + 1
    return {
      failures: streak,
      limit: protocolLimit(task, settings),
      patch: { protocolViolations: streak, rateLimits: 0, lastError, ...retryIn(streak) },
    }
  }
  if (ending.outcome === 'rate_limited') {
    const rateLimits = task.rateLimits + 1
    const cooldownUntil = rateLimitWait(rateLimits, ending, settings, now)
    const cooldownReason = cooldownUntil === null ? null : 'rate_limit'
    return {
      failures: task.consecutiveFailures,
      limit: null,
      patch: { rateLimits, lastError, cooldownUntil, cooldownReason },
    }
  }
  const reset = ending.outcome === 'reclaimed' ? { consecutiveFailures: 0, protocolViolations: 0 } : {}
  return { failures: task.consecutiveFailures, limit: null, patch: { ...NO_WAITS, rateLimits: 0, lastError, ...reset } }
}

/**
 * The time at which the card may start after a rate limit. Null means that its account is paused, so the card needs no
 * wait of its own.
 */
const rateLimitWait = (nth: number, ending: FailedEnding, settings: BoardSettings, now: number): number | null =>
  ending.accountUntil == null ? rateLimitEnd(nth, ending.retryAt, settings, now) : null

interface Stop {
  readonly kind: 'breaker' | 'attempts'
  readonly reason: string
  readonly runId: Run['id']
}

/**
 * Blocks a card on behalf of the board. If the card is blocked too often for the same cause, it goes to triage instead.
 */
export function stopMove(
  task: Task,
  { kind, reason, runId }: Stop,
  context: Pick<FailureContext, 'settings' | 'now'>,
): Move {
  const { recentBlocks, recurrences, loops } = countBlock(task, kind, context)
  const data = { kind, reason, recurrences }
  return {
    patch: {
      status: loops ? 'triage' : 'blocked',
      breakerOpen: true,
      blockKind: kind,
      blockReason: reason,
      blockedBy: 'muster:breaker',
      recentBlocks,
    },
    events: loops ? [{ kind: 'block_loop_detected', taskId: task.id, runId, data }] : [],
  }
}

export const attemptsReason = (attempts: number, outcome: Outcome): string =>
  `${attempts} attempts without success; the last one ended ${outcome}`

function giveUp(
  task: Task,
  run: Run,
  ending: FailedEnding,
  how: {
    event: EventDraft
    counted: TaskPatch
    failures: number
    limit: number
    atAttemptsLimit: boolean
    context: FailureContext
  },
): Move {
  const { failures, limit, context } = how
  const error = excerpt(ending.error)
  const stop: Stop = how.atAttemptsLimit
    ? { kind: 'attempts', reason: attemptsReason(failures, ending.outcome), runId: run.id }
    : {
        kind: 'breaker',
        reason: `${failures} ${failures === 1 ? 'failure' : 'failures in a row'} (${ending.outcome})${error ? `: ${error}` : ''}`,
        runId: run.id,
      }
  const { patch, events } = stopMove(task, stop, context)
  return {
    patch: { ...how.counted, ...NO_WAITS, ...patch },
    events: [
      how.event,
      { kind: 'gave_up', taskId: task.id, runId: run.id, data: { failures, limit, trigger: ending.outcome, error } },
      ...events,
    ],
  }
}

/** Whether the board retries the card automatically after this outcome. */
const isAutomatic = (outcome: FailureOutcome): boolean => outcome !== 'stopped' && outcome !== 'reclaimed'

/**
 * Delays an automatic retry that might repeat finished work. The store keeps the end of the delay, so that every
 * surface can show it.
 */
export function respawnGuard(
  task: Pick<Task, 'pullRequestAt' | 'succeededAt'>,
  { settings, now }: Pick<FailureContext, 'settings' | 'now'>,
): { until: number; reason: GuardReason } | null {
  const success = (task.succeededAt ?? -Infinity) + settings.successGuardMs
  if (success > now) return { until: success, reason: 'recent_success' }
  const pullRequest = (task.pullRequestAt ?? -Infinity) + settings.pullRequestGuardMs
  if (pullRequest > now) return { until: pullRequest, reason: 'active_pr' }
  return null
}

const excerpt = (error: string | null): string | null => (error === null ? null : cut(error, ERROR_EXCERPT))

function endingEvent(run: Run, ending: FailedEnding, failures: number, until: number | null = null): EventDraft {
  const at = { taskId: run.taskId, runId: run.id }
  const error = excerpt(ending.error)
  const { outcome, exitCode, signal, by, accountUntil } = ending
  switch (outcome) {
    case 'crashed':
    case 'timed_out':
    case 'spawn_failed':
    case 'checks_failed':
    case 'protocol_violation':
      return { kind: outcome, ...at, data: { error, failures, exitCode, signal } }
    case 'stale':
    case 'interrupted':
      return { kind: outcome, ...at, data: { error } }
    case 'reclaimed':
    case 'stopped':
      return { kind: outcome, ...at, data: { reason: error, by } }
    case 'rate_limited':
      return { kind: 'rate_limited', ...at, data: { until: until ?? accountUntil ?? 0, account: run.account } }
  }
}
