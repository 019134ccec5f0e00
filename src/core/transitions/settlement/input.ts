/** What whoever watched a run to its end says about it. */
import * as z from 'zod'
import { attachmentSchema } from '../../attachment.ts'
import { name, overheard, runId, taskId, text, time } from '../../input/fields.ts'
import { changesSchema, fenceSchema, usageSchema, verdictSchema } from '../../run.ts'

/** How the processes of a run ended, as whoever watched them classified it. Typed: nobody reads prose. */
export const ENDINGS = [
  'exited',
  'timed_out',
  'turn_limit',
  'stale',
  'rate_limited',
  'auth_failed',
  'spawn_failed',
  'interrupted',
  'stopped',
  'checks_failed',
] as const

const endingSchema = z.object({
  how: z.enum(ENDINGS),
  error: overheard.nullable().default(null),
  exitCode: z.int().nullable().default(null),
  signal: text.nullable().default(null),
  retryAt: time.nullable().default(null),
})

export const settleInput = z.object({
  task: taskId,
  runId,
  /**
   * The supervisor settles under its fence; a dispatcher of the same machine under its own lease, and where nobody
   * registered only as long as that is so. `lapsed`: only after the lease of the run has ended, because the dispatcher
   * cannot see whether its supervisor is alive.
   */
  by: z.union([
    z.object({ fence: fenceSchema }),
    z.object({
      machine: text,
      dispatcherTokenHash: text,
      unregistered: z.boolean().default(false),
      lapsed: z.boolean().default(false),
    }),
  ]),
  ending: endingSchema,
  /** A verdict found in the run's file, used only where the row has none. */
  verdict: verdictSchema.nullable().default(null),
  /** Whether a run that ends without a word counts as complete when it exits 0 (`onExit: complete`). */
  completesOnExit: z.boolean().default(false),
  /** The tail of the output: summary of an exit 0, last words of a failure. */
  lastWords: overheard.nullable().default(null),
  /** The run's account: a limit that was met pauses it. Left out, the card alone waits. */
  account: name.nullable().default(null),
  usage: usageSchema.nullable().default(null),
  /** What the run changed in its worktree. */
  changes: changesSchema.nullable().default(null),
  attachments: z.array(attachmentSchema).default([]),
})
