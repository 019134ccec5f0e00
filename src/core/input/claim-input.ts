import * as z from 'zod'
import { BEYOND } from '../gates/command-approval.ts'
import { absolutePath, duration, line, name, runId, taskId, text } from './fields.ts'
import { identitySchema } from '../run.ts'

const cap = z.int().min(1).nullable().default(null)

/** What a dispatcher brings to a claim: ids and token minted by it, and what only its machine knows. */
export const fieldsOfClaim = z.object({
  task: taskId,
  runId,
  tokenHash: line,
  agent: name,
  account: name.nullable().default(null),
  machine: line,
  dispatcher: identitySchema,
  dispatcherTokenHash: line,
  caps: z.object({ machine: cap, agent: cap, account: cap }).default({ machine: null, agent: null, account: null }),
  maxRuntimeMs: duration.min(1).nullable().default(null),
  /** What the file of the card's agent asks for, beside the checks of the card. */
  checks: z.array(text).default([]),
  probe: z.boolean().default(false),
  libVersion: text.nullable().default(null),
  /** Where the directory of a `dir` card really is, through every link; null where nobody could tell. */
  directory: absolutePath.nullable().default(null),
  /** Whether the card names its branch. If so, no sweep of another card's worktree may begin during the claim. */
  pinned: z.boolean().default(false),
  /** What this agent would do with the words of the run that made the card, and its author may not. */
  beyond: z.enum(BEYOND).nullable().default(null),
  /** Where it runs the body as a script: the agents, as rows name them, whose body it runs unasked. */
  trusted: z.array(line).readonly().nullable().default(null),
})
