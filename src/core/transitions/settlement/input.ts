/** The input of `settle`: how a run ended. */
import * as z from 'zod'
import { attachmentSchema } from '../../attachment.ts'
import { commentId, name, programOutput, runId, taskId, text, time } from '../../input/fields.ts'
import { SWARM_WORKERS_MAX } from '../../vocabulary.ts'
import { changesSchema, fenceSchema, usageSchema, verdictSchema } from '../../run.ts'

/** How the processes of a run ended, as classified by the supervisor or the dispatcher. */
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
   * A supervisor settles its own run, and a dispatcher settles runs of its own machine. `unregistered` applies only
   * while no supervisor has registered. `lapsed` applies only after the lease of the run has ended, because the
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
  /** The verdict in the run's verdict file. This verdict is used only if the store has no verdict. */
  verdict: verdictSchema.nullable().default(null),
  /** Whether exit code 0 without a verdict means complete (`onExit: complete`). */
  completesOnExit: z.boolean().default(false),
  /**
   * The end of the agent's output. After exit code 0, this text becomes the summary; after a failure, part of the
   * error.
   */
  lastOutput: programOutput.nullable().default(null),
  /** The account of the run. A rate limit pauses this account. Without an account, only the card waits. */
  account: name.nullable().default(null),
  usage: usageSchema.nullable().default(null),
  changes: changesSchema.nullable().default(null),
  attachments: z.array(attachmentSchema).default([]),
  /**
   * The workers of the swarm, if the card is its verifier. They are locked together with the card. Each worker has the
   * id for a comment with the verifier's request.
   */
  workers: z
    .array(z.object({ task: taskId, comment: commentId }))
    .max(SWARM_WORKERS_MAX)
    .default([]),
})
