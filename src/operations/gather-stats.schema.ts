import * as z from 'zod'
import { count, duration, time } from '../core/fields.ts'
import { STATUSES } from '../core/vocabulary.ts'

export const input = z.object({})

export const output = z.object({
  byStatus: z.record(z.enum(STATUSES), count),
  /** Without archived cards; those of nobody under `(unassigned)`. */
  byAssignee: z.record(z.string(), z.partialRecord(z.enum(STATUSES), count)),
  /** Since the oldest of the ready cards was made; null when none is ready. */
  oldestReadyAgeMs: duration.nullable(),
  now: time,
})
export type Stats = z.infer<typeof output>
