import * as z from 'zod'
import { storedFileSchema } from './attachment.ts'
import { count, duration, json, line, name, runId, slug, taskId, text, time } from './input/fields.ts'
import { ASKED_BLOCK_KINDS, OUTCOMES, PHASES, RUN_KINDS, STATUSES } from './vocabulary.ts'

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

/** The only proof of ownership of a run. The token itself never reaches the store. */
export const fenceSchema = z.object({ runId, tokenHash: line })
export type Fence = z.infer<typeof fenceSchema>

const handOff = {
  summary: text.nullable().default(null),
  metadata: json.nullable().default(null),
}

/** A worker's report about its run. The run ends later: after its processes are gone and its checks have passed. */
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
  z.object({ kind: z.literal('request_changes'), ...handOff, reason: line }),
])
export type Verdict = z.infer<typeof verdictSchema>

/** A person's command on a live run; the settlement applies it. */
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
  /** Why a person skipped the checks. */
  force: text.nullable(),
  /** Stored files that become attachments when the card is done. */
  files: z.array(storedFileSchema).default([]),
})
export type Intent = z.infer<typeof intentSchema>

export const usageSchema = z.object({
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  costUsd: z.number().min(0).nullable(),
})

/** Changes in the worktree since the commit that the run began from. */
export const changesSchema = z.object({
  files: count,
  added: count,
  removed: count,
  /** The commit that the board made from uncommitted files; null if it made no commit. */
  commit: line.nullable(),
  /** Files that the board could not commit, and why. */
  note: text.nullable(),
})
export type Changes = z.infer<typeof changesSchema>

const checkStateSchema = z.object({
  tries: count,
  passedAt: time.nullable(),
  /** Hash of the content at the last check. Completing again with unchanged content spends no try. */
  contentHash: z.string().nullable(),
  /** Null until the checks have run. */
  output: text.nullable(),
  /** The checks that passed at `passedAt`; a check added later is not among them. */
  passed: z.array(text).optional(),
  /** Checks that the agent's file had when the run was opened. */
  ofAgent: z.array(text).optional(),
})

/** One attempt at a card. A claim opens it, and it is closed exactly once. A closed run never changes. */
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
  /** The status of the card before the claim. A failed review or check restores it. */
  fromStatus: z.enum(STATUSES),
  tokenHash: z.string().nullable(),
  claimedBy: line,
  /** The claiming process. If it died before a supervisor registered, the run does not count as a failure. */
  dispatcher: identitySchema.nullable(),
  /** The supervisor, once it has registered. */
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
