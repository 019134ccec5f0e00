import * as z from 'zod'
import { APPROVAL_CAUSES } from '../gates/command-approval.ts'
import { absolutePath, duration, line, name, runId, taskId, text } from './fields.ts'
import { identitySchema } from '../run.ts'

const cap = z.int().min(1).nullable().default(null)

const localZone = z.object({
  offsetMinutes: z.int(),
  change: z.object({ at: z.int(), offsetMinutes: z.int() }).nullable(),
})

/** Input of a claim: the ids and the token that the dispatcher chose, and facts about its machine. */
export const fieldsOfClaim = z.object({
  task: taskId,
  runId,
  tokenHash: line,
  agent: name,
  /** The agent that the card names, if `agent` is its fallback. Null means that the card names `agent`. */
  insteadOf: name.nullable().default(null),
  account: name.nullable().default(null),
  machine: line,
  dispatcher: identitySchema,
  dispatcherTokenHash: line,
  caps: z.object({ machine: cap, agent: cap, account: cap }).default({ machine: null, agent: null, account: null }),
  maxRuntimeMs: duration.min(1).nullable().default(null),
  /** Checks from the file of the card's agent. */
  checks: z.array(text).default([]),
  probe: z.boolean().default(false),
  libVersion: text.nullable().default(null),
  /** The directory of a `dir` card with all symbolic links resolved; null if unknown. */
  directory: absolutePath.nullable().default(null),
  /** Whether the card names its branch. If so, no other card's worktree may be removed during the claim. */
  pinned: z.boolean().default(false),
  /** Why this agent needs approval to run a card of this author. Null means that no approval is needed. */
  approvalCause: z.enum(APPROVAL_CAUSES).nullable().default(null),
  /**
   * Agents whose bodies this agent runs as scripts without approval. Null means that this agent reads bodies as text.
   */
  trusted: z.array(line).readonly().nullable().default(null),
  /** The time zone of the machine. If it is null, active hours are not checked. */
  zone: localZone.nullable().default(null),
  /** When this agent may start cards. Null means at any time. */
  activeHours: line.nullable().default(null),
})
