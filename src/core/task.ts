import * as z from 'zod'
import { count, duration, json, line, name, runId, slug, taskId, text, time } from './input/fields.ts'
import { goalSchema } from './goal.ts'
import {
  BLOCK_KINDS,
  COOLDOWN_REASONS,
  GUARD_REASONS,
  STATUSES,
  WORKSPACE_KINDS,
  WORKSPACE_STATES,
} from './vocabulary.ts'

const workspaceSchema = z.object({
  kind: z.enum(WORKSPACE_KINDS),
  path: text.nullable(),
  repo: text.nullable(),
  state: z.enum(WORKSPACE_STATES),
  /** Of a worktree: the commit that its work begins from, and the branch that this was on. */
  base: text.nullable(),
  baseBranch: text.nullable(),
  /** The machine that has the files, and its name; null when the store belongs to one machine. */
  machine: text.nullable(),
  host: text.nullable(),
  /** The card whose folder this one works in, because both work on one branch; null: its own folder. */
  owner: taskId.nullable(),
  /** The process that is removing the folder. */
  sweeper: text.nullable(),
})
export type Workspace = z.infer<typeof workspaceSchema>

/** Where the work of a worktree card landed. `tip` is the commit of the card's branch whose content landed. */
const landedSchema = z.object({ commit: line, tip: line, into: line, at: time })
export type Landed = z.infer<typeof landedSchema>

/** A block that happened within the loop breaker's window; forgotten on completion, kept across unblocks. */
const recentBlockSchema = z.object({ kind: z.enum(BLOCK_KINDS), at: time })

/**
 * One unit of work. The row holds facts, never inferences over the event log: who blocked it and why, whether the
 * breaker is open, how many parents still gate it.
 */
export const taskSchema = z.object({
  board: slug,
  id: taskId,
  title: line,
  body: text.nullable(),
  status: z.enum(STATUSES),
  assignee: name.nullable(),
  priority: z.int(),
  tenant: line.nullable(),
  session: line.nullable(),
  workflow: line.nullable(),
  step: line.nullable(),
  createdBy: line,
  /** The run whose worker created this card; what a worker may change beyond its own card. */
  createdByRun: runId.nullable(),
  idempotencyKey: line.nullable(),
  workspace: workspaceSchema,
  branch: line.nullable(),
  landed: landedSchema.nullable(),
  /** null: the agent's own; an empty list: explicitly none. */
  skills: z.array(line).nullable(),
  model: line.nullable(),
  provider: line.nullable(),
  effort: line.nullable(),
  reviewer: name.nullable(),
  createdAt: time,
  updatedAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
  /** When it was last put into review. */
  reviewRequestedAt: time.nullable(),
  scheduledAt: time.nullable(),
  currentRunId: runId.nullable(),

  consecutiveFailures: count,
  protocolViolations: count,
  reviewFailures: count,
  rateLimits: count,
  lastError: text.nullable(),
  breakerOpen: z.boolean(),
  /** Attempts before this moment no longer count against the attempts bound. */
  attemptsSince: time,

  blockKind: z.enum(BLOCK_KINDS).nullable(),
  blockReason: text.nullable(),
  blockedBy: line.nullable(),
  recentBlocks: z.array(recentBlockSchema),
  /** Where unblock returns to when that is not the work lane: a blocked review resumes as a review. */
  resumeStatus: z.enum(['review']).nullable(),
  held: z.boolean(),
  /** Parents that gate this card now; waived links and deleted parents do not count. */
  openParents: count,
  cooldownUntil: time.nullable(),
  cooldownReason: z.enum(COOLDOWN_REASONS).nullable(),
  guardUntil: time.nullable(),
  guardReason: z.enum(GUARD_REASONS).nullable(),
  /** When a comment last named a pull request: an automatic retry then waits, so that two do not race. */
  pullRequestAt: time.nullable(),
  /** When the card was last done. Kept after a reopen: an automatic retry soon after waits. */
  succeededAt: time.nullable(),
  /** False while commands written by an agent wait for a person. */
  commandsApproved: z.boolean(),

  /** When somebody must look again: `nextLook` over every deadline. May be early, never late. */
  dueAt: time.nullable(),
  /** Order within an agent's lane: priority, then age, and nothing starves. */
  rank: z.int(),

  maxRuntimeMs: duration.nullable(),
  maxRetries: z.int().min(1).nullable(),
  goal: goalSchema.nullable(),
  checks: z.array(text),
  result: text.nullable(),
  metadata: json.nullable(),
  archivedFrom: z.enum(STATUSES).nullable(),
  deletedAt: time.nullable(),
  deletedBy: line.nullable(),
})
export type Task = z.infer<typeof taskSchema>
export type TaskPatch = Partial<
  Omit<Task, 'board' | 'id' | 'createdAt' | 'openParents' | 'dueAt' | 'rank' | 'updatedAt'>
>
