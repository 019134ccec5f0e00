import * as z from 'zod'
import { runId, slug, taskId } from '../core/fields.ts'
import { OUTCOMES, STATUSES } from '../core/vocabulary.ts'

export const input = z.object({
  dryRun: z.boolean().default(false).describe('Only say what would happen'),
  wait: z.boolean().default(false).describe('Return when the runs that were started have settled'),
  board: slug.nullable().default(null).describe('Only cards of this board'),
})

/** In a dry run nothing has an id or an outcome yet. */
const ended = z.object({
  id: taskId,
  board: slug,
  runId,
  outcome: z.enum(OUTCOMES).nullable(),
  status: z.enum(STATUSES),
})

export const output = z.object({
  started: z.array(
    z.object({ id: taskId, board: slug, runId: runId.nullable(), agent: z.string(), attempt: z.int().nullable() }),
  ),
  /** Runs that ended, by their own doing or as their supervisor left them. */
  settled: z.array(ended),
  /** Runs that were lost with their supervisor; nobody's failure. */
  interrupted: z.array(ended),
  /** Cards whose wait or schedule is over. */
  woken: z.array(taskId),
  /** Cards that could not start, each with why. */
  deferred: z.array(z.object({ id: taskId, reason: z.string() })),
  /** Of many that wait for one reason only some are named; these sentences count the rest. */
  notes: z.array(z.string()),
  /** Cards that wait for a free place. */
  capped: z.array(taskId),
  unassigned: z.array(taskId),
})
export type DispatchReport = z.infer<typeof output>
