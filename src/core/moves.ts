/**
 * A move is the change of a card that is completed, blocked, reviewed or sent back. Commands on a card without a run
 * and the end of a run use the same moves.
 */
import type { BoardSettings } from './board.ts'
import type { EventDraft } from './event.ts'
import { areTurnsSpent } from './goal.ts'
import type { RunId, TaskId } from './ids.ts'
import { readyOrTodo } from './gates/readiness.ts'
import { isVerifier } from './swarm.ts'
import type { Task, TaskPatch } from './task.ts'
import { firstLine } from './text.ts'
import type { AskedBlockKind, BlockKind, GoalStop } from './vocabulary.ts'

export interface Move {
  readonly patch: TaskPatch
  readonly events: readonly EventDraft[]
}

export interface HandOff {
  readonly summary: string | null
  readonly result: string | null
  readonly metadata: Task['metadata']
}

/** The maximum length of a summary in an event. The run keeps the whole text. */
const EVENT_SUMMARY = 400
export const eventSummary = (handOff: Pick<HandOff, 'summary'> & { result?: string | null }): string =>
  firstLine(handOff.summary, EVENT_SUMMARY) || firstLine(handOff.result, EVENT_SUMMARY)

/** The fields of a card that is not blocked. */
export const NOT_BLOCKED = {
  blockKind: null,
  blockReason: null,
  blockedBy: null,
  resumeStatus: null,
  breakerOpen: false,
} as const

/** Ends all waits before an automatic retry. */
export const NO_WAITS = { cooldownUntil: null, cooldownReason: null, guardUntil: null, guardReason: null } as const

/**
 * Resets the counts of failures in a row, but not the count of attempts. Otherwise each unblock would allow 20 more
 * attempts.
 */
export const FRESH_COUNTERS = {
  consecutiveFailures: 0,
  protocolViolations: 0,
  reviewFailures: 0,
  rateLimits: 0,
  lastError: null,
  breakerOpen: false,
  ...NO_WAITS,
} as const satisfies TaskPatch

/** Whether the board stopped the card because of its failure limit, its attempts limit or the turns of its goal. */
export const isTripped = ({ breakerOpen, blockKind }: Pick<Task, 'breakerOpen' | 'blockKind'>): boolean =>
  breakerOpen || blockKind === 'breaker' || blockKind === 'attempts' || blockKind === 'budget'

/** Gives the goal all of its turns again, if it has used them. A person decided that the card continues. */
export const renewTurns = (task: Pick<Task, 'goal' | 'goalTurns'>): TaskPatch =>
  areTurnsSpent(task) ? { goalTurns: 0 } : {}

/**
 * The fields of a card after an unblock. If failures had stopped the card, the failure count is reset; otherwise the
 * next failure would stop the card again.
 */
export const liftBlock = (task: Task): TaskPatch =>
  isTripped(task) ? { ...FRESH_COUNTERS, ...NOT_BLOCKED, ...renewTurns(task), ...forgetRejections(task) } : NOT_BLOCKED

/** Lets the verifier of a swarm request changes again as often as the limit allows. Other cards do not change. */
export const forgetRejections = ({ rejections }: Pick<Task, 'rejections'>): TaskPatch =>
  rejections === 0 ? {} : { rejections: 0 }

/** This is a constant, because building the object on each call took a tenth of the time of ending a run. */
const COMPLETED = {
  ...FRESH_COUNTERS,
  ...NOT_BLOCKED,
  status: 'done',
  recentBlocks: [],
  completedAt: 0,
  scheduledAt: null,
  goalTurns: 0,
  result: null,
  metadata: null,
} as const satisfies TaskPatch

export function completeMove(
  task: Task,
  handOff: HandOff,
  extra: {
    readonly now: number
    readonly runId: RunId | null
    readonly forced?: string
    readonly verifiedCards?: readonly Task['id'][]
    readonly artifacts?: readonly string[]
    /**
     * The approval, if this completion approves a review. The card then keeps the worker's result, unless the reviewer
     * gives a new result.
     */
    readonly approval?: Approval | null
    /**
     * Whether earlier attempts still count against the attempts limit. They do if an agent completed a card that it did
     * not work on, because that does not prove a success.
     */
    readonly keepsAttempts?: boolean
  },
): Move {
  const { now, runId, forced, verifiedCards = [], artifacts = [], approval = null, keepsAttempts = false } = extra
  const result = handOff.result ?? (approval === null ? handOff.summary : null) ?? task.result ?? handOff.summary
  return {
    patch: {
      ...COMPLETED,
      ...forgetRejections(task),
      ...(keepsAttempts ? {} : { attemptsSince: now }),
      completedAt: now,
      succeededAt: now,
      result,
      metadata: (approval === null ? handOff.metadata : null) ?? task.metadata ?? handOff.metadata,
    },
    events: [
      {
        kind: 'completed',
        taskId: task.id,
        runId,
        data: {
          summary: eventSummary(handOff),
          ...(forced === undefined ? {} : { forced }),
          ...(verifiedCards.length === 0 ? {} : { verifiedCards }),
          ...(artifacts.length === 0 ? {} : { artifacts }),
        },
      },
      ...(approval === null ? [] : [approvedEvent(task, handOff, { ...approval, now, runId })]),
      ...(isVerifier(task) && task.swarm !== null ? [swarmApproved(task, task.swarm, { handOff, runId })] : []),
    ],
  }
}

const swarmApproved = (
  { id }: Task,
  root: TaskId,
  { handOff, runId }: { readonly handOff: HandOff; readonly runId: RunId | null },
): EventDraft => ({ kind: 'swarm_approved', taskId: id, runId, data: { root, summary: eventSummary(handOff) } })

/** The agent or the person that reviewed the card. */
export interface Approval {
  readonly reviewer: string
}

const approvedEvent = (
  task: Task,
  handOff: HandOff,
  { reviewer, now, runId }: Approval & { now: number; runId: RunId | null },
): EventDraft => ({
  kind: 'approved',
  taskId: task.id,
  runId,
  data: { summary: eventSummary(handOff), reviewer, waitedMs: timeInReview(task, now) },
})

/** The time since the last review request. Null means that the time of the request is unknown. */
const timeInReview = ({ reviewRequestedAt }: Task, now: number): number | null =>
  reviewRequestedAt === null ? null : Math.max(0, now - reviewRequestedAt)

export interface BlockRequest {
  readonly kind: AskedBlockKind | GoalStop
  readonly reason: string
  readonly by: string
}

/**
 * Blocks a card. A dependency block becomes a question to a person if no parent is unfinished; otherwise the card would
 * start again at once. If a card is blocked too often for the same kind of reason, it goes to triage.
 */
export function blockMove(
  task: Task,
  request: BlockRequest,
  { settings, now, runId, inReview }: { settings: BoardSettings; now: number; runId: RunId | null; inReview: boolean },
): Move {
  const { reason, by } = request
  const waits = request.kind === 'dependency' && task.openParents > 0
  const kind = request.kind === 'dependency' && !waits ? 'needs_input' : request.kind
  const from = task.status
  // A card in review keeps the status `review`, because every claim checks the parents. In `todo`, the card would next
  // run as work and not as a review.
  if (waits && inReview)
    return {
      patch: { ...NOT_BLOCKED, status: 'review' },
      events: [{ kind: 'dependency_waited', taskId: task.id, runId, data: { reason, from } }],
    }
  if (waits)
    return {
      patch: { ...NOT_BLOCKED, status: 'todo', blockKind: kind, blockReason: reason, blockedBy: by },
      events: [{ kind: 'dependency_waited', taskId: task.id, runId, data: { reason, from } }],
    }
  const { recentBlocks, recurrences, loops } = countBlock(task, kind, { settings, now })
  return {
    patch: {
      status: loops ? 'triage' : 'blocked',
      blockKind: kind,
      blockReason: reason,
      blockedBy: by,
      recentBlocks,
      resumeStatus: inReview ? 'review' : null,
      breakerOpen: false,
    },
    events: [
      loops
        ? { kind: 'block_loop_detected', taskId: task.id, runId, data: { kind, reason, recurrences } }
        : { kind: 'blocked', taskId: task.id, runId, data: { kind, reason, from, recurrences } },
    ],
  }
}

/** Counts the recent blocks of one kind. Too many blocks are a loop. Blocks that request a review never count. */
export function countBlock(
  task: Pick<Task, 'recentBlocks'>,
  kind: BlockKind,
  { settings, now }: { settings: BoardSettings; now: number },
): { readonly recentBlocks: Task['recentBlocks']; readonly recurrences: number; readonly loops: boolean } {
  const recentBlocks = [
    ...task.recentBlocks.filter((block) => block.at > now - settings.blockLoopWindowMs),
    { kind, at: now },
  ].slice(-16)
  const recurrences = recentBlocks.filter((block) => block.kind === kind).length
  return { recentBlocks, recurrences, loops: kind !== 'review' && recurrences >= settings.blockLoopLimit }
}

export const scheduleMove = (
  task: Task,
  { at, reason, runId, inReview }: { at: number | null; reason: string | null; runId: RunId | null; inReview: boolean },
): Move => ({
  patch: { ...liftBlock(task), status: 'scheduled', scheduledAt: at, resumeStatus: inReview ? 'review' : null },
  events: [{ kind: 'scheduled', taskId: task.id, runId, data: { at, reason } }],
})

/**
 * Moves the card into review. The worker's hand-off becomes the result at once, because a reviewer does not change it.
 * The waits and failure counts of the worker do not apply to the reviewer.
 */
export const requestReviewMove = (
  task: Task,
  { reviewer, summary, metadata, now, runId }: ReviewRequest & { now: number; runId: RunId | null },
): Move => ({
  patch: {
    ...NOT_BLOCKED,
    ...NO_WAITS,
    status: 'review',
    reviewer: reviewer ?? task.reviewer,
    reviewRequestedAt: now,
    reviewFailures: 0,
    rateLimits: 0,
    goalTurns: 0,
    result: summary ?? task.result,
    metadata: metadata ?? task.metadata,
  },
  events: [
    {
      kind: 'review_requested',
      taskId: task.id,
      runId,
      data: { reviewer: reviewer ?? task.reviewer, summary: firstLine(summary, EVENT_SUMMARY) },
    },
  ],
})

interface ReviewRequest extends Pick<HandOff, 'summary' | 'metadata'> {
  readonly reviewer: string | null
}

/** Sends the card back to its assignee. */
export function requestChangesMove(
  task: Task,
  { reason, reviewer, now, runId }: Approval & { reason: string; now: number; runId: RunId | null },
  status: Task['status'] = readyOrTodo(task),
): Move {
  const data = { reason, status, reviewer, waitedMs: timeInReview(task, now) }
  return {
    patch: { ...NOT_BLOCKED, ...NO_WAITS, status, reviewFailures: 0, rateLimits: 0 },
    events: [{ kind: 'changes_requested', taskId: task.id, runId, data }],
  }
}

export const archiveMove = (task: Task, from: Task['status'], runId: RunId | null = null): Move => ({
  patch: { status: 'archived', archivedFrom: from },
  events: [{ kind: 'archived', taskId: task.id, runId, data: { from } }],
})

export const deleteMove = (
  task: Task,
  { from, by, now, runId = null }: { from: Task['status']; by: string; now: number; runId?: RunId | null },
): Move => ({
  patch: { status: from, deletedAt: now, deletedBy: by },
  events: [{ kind: 'deleted', taskId: task.id, runId, data: { from } }],
})
