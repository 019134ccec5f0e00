/** The output schemas of dispatch, gc and doctor. */
import * as z from 'zod'
import { reasonView } from '../cards/views.ts'
import { lastPassSchema } from '../../core/limits/last-pass.ts'
import { count, runId, slug, taskId, time } from '../../core/input/fields.ts'
import { GUARD_REASONS, OUTCOMES, PHASES, SLOT_KINDS, STATUSES } from '../../core/vocabulary.ts'

/** A run that ended. In a dry run, this is a run that would end, and `outcome` is null. */
const ended = z.object({
  id: taskId,
  board: slug,
  runId,
  phase: z.enum(PHASES),
  outcome: z.enum(OUTCOMES).nullable(),
  status: z.enum(STATUSES),
})

const deferralReason = z.union([reasonView, z.string()])

/** The kinds of limits. `pass` is the limit that the caller set for this pass. */
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
  /**
   * The runs that ended. Each was settled by its supervisor or, if the supervisor died, by a dispatcher from the files
   * of the run.
   */
  settled: z.array(ended),
  /** The cards of settled runs that crashed, timed out, stopped responding, or left their card blocked. */
  crashed: z.array(taskId),
  timedOut: z.array(taskId),
  stale: z.array(taskId),
  autoBlocked: z.array(taskId),
  /** The runs whose supervisor died. These runs do not count as failures. */
  interrupted: z.array(ended),
  /** The cards whose wait or scheduled time is over. */
  woken: z.array(taskId),
  /** The unassigned cards that got the board's default assignee. */
  autoAssigned: z.array(z.object({ id: taskId, board: slug, agent: z.string() })),
  /** The cards that could not start, each with its reason or an unexpected error. */
  deferred: z.array(z.object({ id: taskId, reason: deferralReason })),
  /**
   * The number of cards that are not listed, because many cards wait for the same reason. The reason is null if these
   * cards have different reasons.
   */
  more: z.array(z.object({ reason: deferralReason.nullable(), count: z.int() })),
  /** The cards that wait for a free slot, and the limit that is reached. */
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
  /** The cards whose automatic retry waits, because the retry might repeat finished work. */
  guarded: z.array(z.object({ id: taskId, reason: z.enum(GUARD_REASONS), until: time })),
  /** The cards that hit a rate limit, followed by the cards that failed. Each card is retried at its own time. */
  rateLimited: z.array(z.object({ id: taskId, until: time })),
  coolingDown: z.array(z.object({ id: taskId, until: time })),
  unassigned: z.array(taskId),
  /** The cards in review that wait for a person. */
  awaitingReview: z.array(taskId),
  /** The cards whose assignee or reviewer does not exist on this machine. These cards are in `deferred` too. */
  unknownAgent: z.array(z.object({ id: taskId, agent: z.string() })),
  /** The paused machines, boards, agents and accounts. */
  paused: z.array(
    z.object({ kind: z.enum(SLOT_KINDS), name: z.string(), reason: z.string().nullable(), until: time.nullable() }),
  ),
  /** New warnings, which no earlier pass has shown. */
  warnings: z.array(z.string()),
  /** Whether the command woke a running dispatcher. */
  nudged: z.boolean(),
})
export type DispatchReport = z.infer<typeof dispatchReport>

/** A card that waits. `since` is the time of its last change, or the end of its wait for a retry. */
const waitingCard = z.object({ id: taskId, board: slug, since: time })

const DISPATCHER_STATES = ['active', 'stalled', 'hung', 'absent'] as const

export const healthReport = z.object({
  /** `ok`: a dispatcher makes passes, and no card waits without a reason. */
  status: z.enum(['ok', 'degraded']),
  now: time,
  /** The machine that answers. */
  server: z.object({
    /** The version of the server. Null at the command line, which has no server. */
    version: z.string().nullable(),
    /** The data folder. */
    home: z.string(),
    store: z.object({ engine: z.enum(['sqlite', 'postgres']), place: z.string() }),
    /** The maximum number of cards that run at once on this machine. */
    machineCap: count,
  }),
  problems: z.array(
    z.object({
      code: z.enum(['dispatcher_absent', 'dispatcher_hung', 'dispatcher_stalled', 'cards_late']),
      message: z.string(),
    }),
  ),
  /** The dispatchers that have a lease, on any machine. */
  dispatchers: z.array(
    z.object({
      machine: z.string(),
      hostname: z.string().nullable(),
      /** Whether this is the dispatcher of the machine that answers the request. */
      isOwn: z.boolean(),
      /**
       * `stalled` means that the dispatcher renews its lease but makes no passes. `hung` means that its process is
       * alive but its lease has ended.
       */
      state: z.enum(DISPATCHER_STATES),
      pid: z.int(),
      since: time,
      leaseUntil: time,
      /** The last pass. This is null until the first pass is recorded, some seconds after the dispatcher started. */
      lastPass: lastPassSchema.nullable(),
    }),
  ),
  ready: z.object({
    /** The number of ready cards on all boards that are not archived. */
    count,
    /** The number of ready cards that were examined: the first cards of each board. */
    examined: count,
    /** Ready cards that have not started for a minute, although no reason stops them. */
    late: z.object({ count, first: waitingCard.nullable() }),
    /** The reasons why the other ready cards wait, as this machine sees them. Each card counts for its first reason. */
    reasons: z.array(z.object({ code: z.string(), count, first: waitingCard.extend({ reason: reasonView }) })),
  }),
})
export type HealthReport = z.infer<typeof healthReport>

const cleared = z.object({ path: z.string(), bytes: count })

const clearedWorkspace = cleared.extend({
  /** The path of the copy. Null means that no copy was made. */
  snapshot: z.string().nullable(),
  /** The reason why no copy was made, although the workspace had files that are stored nowhere else. */
  uncopied: z.string().nullable(),
})

export const garbageReport = z.object({
  /** Whether files were deleted. If false, the report shows what would be deleted. */
  applied: z.boolean(),
  events: count,
  /** The cards that were in the trash long enough, with all their files. */
  trash: z.array(z.object({ id: taskId, board: slug, title: z.string(), bytes: count })),
  /** The files of deleted boards that were in the trash long enough. */
  deletedBoards: z.array(cleared),
  workspaces: z.array(clearedWorkspace),
  /** The deleted archives of workspaces. */
  snapshots: z.array(cleared),
  runDirectories: z.array(cleared),
  /** The files that belong to no card, and unused copies. */
  attachments: z.array(cleared),
  /** The logs of earlier stores. */
  storeLogs: z.array(cleared),
  /** The paths that were kept, with the reason. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
  /**
   * The total size of the deleted files, in bytes. Deleted events are not included, because the store reuses their
   * space.
   */
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
