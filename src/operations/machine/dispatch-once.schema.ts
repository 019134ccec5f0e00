import * as z from 'zod'
import { reasonView } from '../cards/reason-view.ts'
import { runId, slug, taskId, time } from '../../core/input/fields.ts'
import { GUARD_REASONS, OUTCOMES, PHASES, SLOT_KINDS, STATUSES } from '../../core/vocabulary.ts'

export const input = z.object({
  dryRun: z.boolean().default(false).describe('Only say what would happen'),
  wait: z.boolean().default(false).describe('Return when the runs that were started have settled'),
  max: z.int().min(0).nullable().default(null).describe('Start at most so many cards in this pass'),
  nudge: z.boolean().default(false).describe('Only tell the running dispatcher to look now'),
  board: slug.nullable().default(null).describe('Only cards of this board'),
})

/** In a dry run nothing has an id or an outcome yet. */
const ended = z.object({
  id: taskId,
  board: slug,
  runId,
  phase: z.enum(PHASES),
  outcome: z.enum(OUTCOMES).nullable(),
  status: z.enum(STATUSES),
})

const deferralReason = z.union([reasonView, z.string()])

/** `pass`: the limit that this pass was given. */
const CAPS = ['machine', 'board', 'agent', 'account', 'pass'] as const

export const output = z.object({
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
  /** Runs that ended, by their own doing or as their supervisor left them. */
  settled: z.array(ended),
  /** Those of them that crashed, took too long, fell silent, or left their card blocked. */
  crashed: z.array(taskId),
  timedOut: z.array(taskId),
  stale: z.array(taskId),
  autoBlocked: z.array(taskId),
  /** Runs that were lost with their supervisor; nobody's failure. */
  interrupted: z.array(ended),
  /** Cards whose wait or schedule is over. */
  woken: z.array(taskId),
  /** Cards that nobody was assigned to and the board's default assignee took. */
  autoAssigned: z.array(z.object({ id: taskId, board: slug, agent: z.string() })),
  /** Cards that could not start, each with its reason or an unexpected error. */
  deferred: z.array(z.object({ id: taskId, reason: deferralReason })),
  /** If many cards wait for one reason, some are listed and this counts the rest. Null: various reasons. */
  more: z.array(z.object({ reason: deferralReason.nullable(), count: z.int() })),
  /** Cards that wait for a free place, and which. */
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
  /** Cards whose automatic retry waits, as it might redo finished work. */
  guarded: z.array(z.object({ id: taskId, reason: z.enum(GUARD_REASONS), until: time })),
  /** Cards that met a rate limit, and those that failed: each tries again by itself then. */
  rateLimited: z.array(z.object({ id: taskId, until: time })),
  coolingDown: z.array(z.object({ id: taskId, until: time })),
  unassigned: z.array(taskId),
  /** Cards in review that no agent will look at: each waits for a person. */
  awaitingReview: z.array(taskId),
  /** Cards whose assignee, or reviewer, is no agent here. They are among the deferred too. */
  unknownAgent: z.array(z.object({ id: taskId, agent: z.string() })),
  /** Machines, boards, agents and accounts that start nothing. */
  paused: z.array(
    z.object({ kind: z.enum(SLOT_KINDS), name: z.string(), reason: z.string().nullable(), until: time.nullable() }),
  ),
  /** What somebody should know who has not been told before. */
  warnings: z.array(z.string()),
  /** Whether a running dispatcher was told to look. */
  nudged: z.boolean(),
})
export type DispatchReport = z.infer<typeof output>
