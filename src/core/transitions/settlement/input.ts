/** The input of `settle`: how a run ended. */
import * as z from 'zod'
import { attachmentSchema } from '../../attachment.ts'
import { name, programOutput, runId, taskId, text, time } from '../../input/fields.ts'
import { changesSchema, fenceSchema, usageSchema, verdictSchema } from '../../run.ts'

/** How the processes of a run ended, as the supervisor or the dispatcher classified it. */
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
  error: programOutput.nullable().default(null),
  exitCode: z.int().nullable().default(null),
  signal: text.nullable().default(null),
  retryAt: time.nullable().default(null),
})
export type Ending = z.input<typeof endingSchema>

export const settleInput = z.object({
  task: taskId,
  runId,
  /**
   * The supervisor settles with its fence, a dispatcher of the same machine with its own lease. `unregistered` settles
   * only while no supervisor has registered. `lapsed` settles only after the lease of the run has ended, because the
   * dispatcher cannot see whether the supervisor is alive.
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
  /** The verdict from the run's file. It is used only if the row has no verdict. */
  verdict: verdictSchema.nullable().default(null),
  /** Whether exit code 0 without a verdict means complete (`onExit: complete`). */
  completesOnExit: z.boolean().default(false),
  /** The end of the output. It becomes the summary after exit code 0, and part of the error after a failure. */
  lastOutput: programOutput.nullable().default(null),
  /** The account of the run, which a rate limit pauses. If the run has no account, only the card waits. */
  account: name.nullable().default(null),
  usage: usageSchema.nullable().default(null),
  changes: changesSchema.nullable().default(null),
  attachments: z.array(attachmentSchema).default([]),
})
