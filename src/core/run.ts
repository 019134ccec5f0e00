import * as z from 'zod'
import { storedFileSchema } from './attachment.ts'
import { count, duration, json, line, name, runId, slug, taskId, text, time } from './input/fields.ts'
import {
  ASKED_BLOCK_KINDS,
  GOAL_STOPS,
  JUDGES,
  JUDGE_ANSWERS,
  OUTCOMES,
  PHASES,
  RUN_KINDS,
  STATUSES,
  SWARM_WORKERS_MAX,
} from './vocabulary.ts'

/** Identifies a process on a machine, even if its pid is reused or the machine reboots. */
export const identitySchema = z.object({
  machine: line,
  bootId: line,
  pidNamespace: line.nullable(),
  pid: z.int().min(1),
  startTime: line,
  /** The name of the machine, if it was recorded. */
  hostname: line.optional(),
})
export type Identity = z.infer<typeof identitySchema>

/** Proves that a caller owns a run. The store has only the hash of the token. */
export const fenceSchema = z.object({ runId, tokenHash: line })
export type Fence = z.infer<typeof fenceSchema>

const handOff = {
  summary: text.nullable().default(null),
  metadata: json.nullable().default(null),
}

/** A worker's report about its run. The run ends later, when its checks have passed and its processes are gone. */
export const verdictSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('complete'),
    ...handOff,
    result: text.nullable().default(null),
    artifacts: z.array(text).default([]),
    createdCards: z.array(taskId).max(1000).default([]),
  }),
  z.object({ kind: z.literal('block'), ...handOff, reason: line, blockKind: z.enum(ASKED_BLOCK_KINDS) }),
  z.object({ kind: z.literal('request_review'), ...handOff, reviewer: name.nullable().default(null) }),
  z.object({
    kind: z.literal('request_changes'),
    ...handOff,
    reason: line,
    /** The workers that the verifier of a swarm names. Without names, all workers of the swarm get the request. */
    workers: z.array(taskId).max(SWARM_WORKERS_MAX).optional(),
  }),
])
export type Verdict = z.infer<typeof verdictSchema>

/** The commands that a person can give on a running card. They are applied when the run ends. */
const INTENT_VERBS = ['complete', 'approve', 'block', 'archive', 'delete', 'reclaim', 'schedule', 'stop'] as const
const intentSchema = z.object({
  verb: z.enum(INTENT_VERBS),
  by: line,
  at: time,
  reason: text.nullable(),
  summary: text.nullable(),
  metadata: json.nullable(),
  result: text.nullable(),
  blockKind: z.enum(ASKED_BLOCK_KINDS).nullable(),
  scheduledAt: time.nullable(),
  assignee: name.nullable(),
  /** The reason why a person skipped the checks. */
  force: text.nullable(),
  /** Files that are already stored. They become attachments when the card is done. */
  files: z.array(storedFileSchema).default([]),
})
export type Intent = z.infer<typeof intentSchema>

const spent = {
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costUsd: z.number().min(0).nullable(),
}

export const usageSchema = z.object({
  ...spent,
  /** The share of the judge, which the numbers above include. Absent if no model judged the run. */
  judge: z.object(spent).optional(),
})

/** The maximum number of points that a judge may list, and the maximum length of a point and of a reason. */
export const JUDGEMENT_LIMITS = { points: 12, point: 400, reason: 1_000 } as const

const judgementSchema = z.object({
  /** The number of turns that the goal had used after this turn. */
  turn: count,
  answer: z.enum(JUDGE_ANSWERS),
  by: z.enum(JUDGES),
  reason: text,
  /** The points that are missing. Empty unless the answer is `continue`. */
  missing: z.array(text).max(JUDGEMENT_LIMITS.points),
  /** The model that answered. Null if no model was asked. */
  model: text.nullable(),
  ...spent,
  at: time,
})
export type Judgement = z.infer<typeof judgementSchema>

/** The work of a run towards the goal of its card. */
const goalStateSchema = z.object({
  judgements: z.array(judgementSchema),
  /** Whether the last turn has been judged. */
  isTurnJudged: z.boolean(),
  /** When the judge accepted the work. Null again after another turn has started. */
  passedAt: time.nullable(),
  /** The hash of the task and the work that the judge accepted. The same work is not judged again. */
  passedHash: text.nullable(),
  /** Whether the agent was reminded to complete the card after the judge had accepted the work. */
  isReminded: z.boolean(),
  /** Why the card is blocked when this run settles. */
  stop: z.object({ kind: z.enum(GOAL_STOPS), reason: text }).nullable(),
})
export type GoalState = z.infer<typeof goalStateSchema>

/** The changes in the worktree since the commit on which the run started. */
export const changesSchema = z.object({
  files: count,
  added: count,
  removed: count,
  /** The commit that Muster made from uncommitted files. Null means that Muster made no commit. */
  commit: line.nullable(),
  /** The files that Muster could not commit, with the reason. */
  note: text.nullable(),
})
export type Changes = z.infer<typeof changesSchema>

const checkStateSchema = z.object({
  tries: count,
  passedAt: time.nullable(),
  /** A hash of the files at the last check. If the agent completes again without changing a file, no try is used. */
  contentHash: z.string().nullable(),
  /** The output of the checks. This is null until the checks have run. */
  output: text.nullable(),
  /** The checks that passed when they last ran. A check that was added later is not in this list. */
  passed: z.array(text).optional(),
  /** The number of checks in the last check of the files. */
  ran: count.optional(),
  /** The checks in the agent's file when the run was opened. */
  ofAgent: z.array(text).optional(),
})

/** One attempt at a card. A claim opens the run, and the run is closed exactly once. A closed run never changes. */
export const runSchema = z.object({
  board: slug,
  id: runId,
  taskId,
  attempt: z.int().min(1),
  phase: z.enum(PHASES),
  kind: z.enum(RUN_KINDS),
  agent: name.nullable(),
  account: name.nullable(),
  machine: line.nullable(),
  /** The status of the card before the claim. The card gets this status again after a failed review or check. */
  fromStatus: z.enum(STATUSES),
  tokenHash: z.string().nullable(),
  claimedBy: line,
  /**
   * The process that claimed the card. If this process dies before a supervisor registers, the run does not count as a
   * failure.
   */
  dispatcher: identitySchema.nullable(),
  /** The supervisor process. This is null until the supervisor has registered. */
  identity: identitySchema.nullable(),
  startedAt: time,
  startDeadlineAt: time.nullable(),
  registeredAt: time.nullable(),
  leaseUntil: time.nullable(),
  lastActivityAt: time.nullable(),
  note: text.nullable(),
  maxRuntimeMs: duration.nullable(),
  terminatingAt: time.nullable(),
  terminatingReason: text.nullable(),
  parentReopenedAt: time.nullable(),
  probe: z.boolean(),
  verdict: verdictSchema.nullable(),
  verdictAt: time.nullable(),
  checks: checkStateSchema.nullable(),
  goal: goalStateSchema.nullable(),
  intent: intentSchema.nullable(),
  endedAt: time.nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  summary: text.nullable(),
  metadata: json.nullable(),
  error: text.nullable(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  usage: usageSchema.nullable(),
  changes: changesSchema.nullable(),
  logPath: text.nullable(),
  socketPath: text.nullable(),
  libVersion: z.string().nullable(),
})
export type Run = z.infer<typeof runSchema>
export type RunPatch = Partial<Omit<Run, 'board' | 'id' | 'taskId' | 'attempt' | 'startedAt'>>
