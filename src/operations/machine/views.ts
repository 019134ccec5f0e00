/** The output schemas of dispatch, gc and doctor. */
import * as z from 'zod'
import { reasonView } from '../cards/views.ts'
import { count, runId, slug, taskId, time } from '../../core/input/fields.ts'
import { GUARD_REASONS, OUTCOMES, PHASES, SLOT_KINDS, STATUSES } from '../../core/vocabulary.ts'

/** `outcome` is null in a dry run. */
const ended = z.object({
  id: taskId,
  board: slug,
  runId,
  phase: z.enum(PHASES),
  outcome: z.enum(OUTCOMES).nullable(),
  status: z.enum(STATUSES),
})

const deferralReason = z.union([reasonView, z.string()])

/** `pass` is the limit given for this pass. */
const CAPS = ['machine', 'board', 'agent', 'account', 'pass'] as const

export const dispatchReport = z.object({
  started: z.array(
    z.object({
      id: taskId,
      board: slug,
      runId: runId.nullable(),
      agent: z.string(),
      phase: z.enum(PHASES),
      attempt: z.int().nullable(),
    }),
  ),
  /** Runs that ended. Their supervisor settled them, or a dispatcher did so from the files that the supervisor left. */
  settled: z.array(ended),
  /** The settled runs that crashed, timed out, stopped responding, or left their card blocked, by card. */
  crashed: z.array(taskId),
  timedOut: z.array(taskId),
  stale: z.array(taskId),
  autoBlocked: z.array(taskId),
  /** Runs whose supervisor died; they do not count as failures. */
  interrupted: z.array(ended),
  /** Cards whose wait or schedule is over. */
  woken: z.array(taskId),
  /** Unassigned cards that the board's default assignee took. */
  autoAssigned: z.array(z.object({ id: taskId, board: slug, agent: z.string() })),
  /** Cards that could not start, each with its reason or an unexpected error. */
  deferred: z.array(z.object({ id: taskId, reason: deferralReason })),
  /**
   * If many cards wait for one reason, only some are listed, and this counts the rest. The reason is null for a count
   * of cards with various reasons.
   */
  more: z.array(z.object({ reason: deferralReason.nullable(), count: z.int() })),
  /** Cards that wait for a free slot, and the limit that is reached. */
  capped: z.array(
    z.object({
      id: taskId,
      agent: z.string(),
      phase: z.enum(PHASES),
      cap: z.enum(CAPS),
      used: z.int().min(0),
      limit: z.int().min(0),
    }),
  ),
  /** Cards whose automatic retry waits, because it might redo finished work. */
  guarded: z.array(z.object({ id: taskId, reason: z.enum(GUARD_REASONS), until: time })),
  /** Cards that hit a rate limit, and cards that failed. Each retries automatically at that time. */
  rateLimited: z.array(z.object({ id: taskId, until: time })),
  coolingDown: z.array(z.object({ id: taskId, until: time })),
  unassigned: z.array(taskId),
  /** Cards in review that wait for a person. */
  awaitingReview: z.array(taskId),
  /** Cards whose assignee or reviewer does not exist on this machine. They are in `deferred` too. */
  unknownAgent: z.array(z.object({ id: taskId, agent: z.string() })),
  /** Paused machines, boards, agents and accounts. */
  paused: z.array(
    z.object({ kind: z.enum(SLOT_KINDS), name: z.string(), reason: z.string().nullable(), until: time.nullable() }),
  ),
  /** Warnings that were not reported before. */
  warnings: z.array(z.string()),
  /** Whether a running dispatcher was woken. */
  nudged: z.boolean(),
})
export type DispatchReport = z.infer<typeof dispatchReport>

const cleared = z.object({ path: z.string(), bytes: count })

const clearedWorkspace = cleared.extend({
  /** The path of the copy, or null if there is none. */
  snapshot: z.string().nullable(),
  /** Why there is no copy, although the workspace held files that are stored nowhere else. */
  uncopied: z.string().nullable(),
})

export const garbageReport = z.object({
  /** False if nothing was deleted, and the report only shows what would be. */
  applied: z.boolean(),
  events: count,
  /** Cards whose time in the trash is over, with all their files. */
  trash: z.array(z.object({ id: taskId, board: slug, title: z.string(), bytes: count })),
  /** Files of deleted boards whose time in the trash is over. */
  deletedBoards: z.array(cleared),
  workspaces: z.array(clearedWorkspace),
  /** Archives of workspaces. */
  snapshots: z.array(cleared),
  runDirectories: z.array(cleared),
  /** Files that belong to no card, and unused copies. */
  attachments: z.array(cleared),
  /** Logs of earlier stores. */
  storeLogs: z.array(cleared),
  /** Paths that were kept, and why. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** The size of the deleted files. The store reuses the space of deleted events. */
  bytes: count,
})
export type GarbageReport = z.infer<typeof garbageReport>

export const findings = z
  .array(
    z.object({
      rule: z.string(),
      board: z.string().nullable(),
      id: z.string().nullable(),
      message: z.string(),
      fixed: z.boolean(),
    }),
  )
  .readonly()
