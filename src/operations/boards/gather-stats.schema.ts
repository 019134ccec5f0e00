import * as z from 'zod'
import { count, duration, time } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'

export const input = z.object({})

export const output = z.object({
  byStatus: z.record(z.enum(STATUSES), count),
  /** Without archived cards; those of nobody under `(unassigned)`. */
  byAssignee: z.record(z.string(), z.partialRecord(z.enum(STATUSES), count)),
  /** Since the oldest of the ready cards was made; null when none is ready. */
  oldestReadyAgeMs: duration.nullable(),
  /** How reviews went, as far as events go back. */
  review: z.object({
    approved: count,
    changesRequested: count,
    /** From the request to the decision: half of the latest reviews took no longer; null when there were none. */
    medianMs: duration.nullable(),
    /** How long the card has been in review that is there for longest; null when none is. */
    oldestMs: duration.nullable(),
  }),
  now: time,
})
export type Stats = z.infer<typeof output>
