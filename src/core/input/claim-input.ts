import * as z from 'zod'
import { APPROVAL_CAUSES } from '../gates/command-approval.ts'
import { absolutePath, duration, line, name, runId, taskId, text } from './fields.ts'
import { identitySchema } from '../run.ts'

const cap = z.int().min(1).nullable().default(null)

const localZone = z.object({
  offsetMinutes: z.int(),
  change: z.object({ at: z.int(), offsetMinutes: z.int() }).nullable(),
})

/** The input of a claim: the ids and the token that the dispatcher chose, and facts about its machine. */
export const fieldsOfClaim = z.object({
  task: taskId,
  runId,
  tokenHash: line,
  agent: name,
  /**
   * The agent that the card names, if `agent` is the fallback of that agent. Null means that the card names `agent`
   * itself.
   */
  insteadOf: name.nullable().default(null),
  account: name.nullable().default(null),
  machine: line,
  dispatcher: identitySchema,
  dispatcherTokenHash: line,
  caps: z.object({ machine: cap, agent: cap, account: cap }).default({ machine: null, agent: null, account: null }),
  maxRuntimeMs: duration.min(1).nullable().default(null),
  checks: z.array(text).default([]),
  probe: z.boolean().default(false),
  libVersion: text.nullable().default(null),
  /** The directory of a `dir` card with all symbolic links resolved. Null means that the directory is unknown. */
  directory: absolutePath.nullable().default(null),
  /** Whether the card requires a certain branch. If so, no worktree of another card may be removed during the claim. */
  pinned: z.boolean().default(false),
  /** The reason why this agent needs approval for cards of this author. Null means that it needs no approval. */
  approvalCause: z.enum(APPROVAL_CAUSES).nullable().default(null),
  /** The authors whose scripts this agent runs without approval. Null means that this agent reads bodies as text. */
  trusted: z.array(line).readonly().nullable().default(null),
  /** The time zone of the machine. If it is null, the claim ignores active hours. */
  zone: localZone.nullable().default(null),
  /** The hours at which this agent may start cards. Null means that the agent may start cards at any time. */
  activeHours: line.nullable().default(null),
})
