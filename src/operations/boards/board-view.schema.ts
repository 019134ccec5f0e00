import * as z from 'zod'
import { boardSchema } from '../../core/board.ts'
import { count } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'

export const boardView = boardSchema.omit({ updatedAt: true }).extend({
  /** Whether it is the one that is meant here when nobody names another. */
  isCurrent: z.boolean(),
  /** Cards by status, those in the trash left out. */
  counts: z.record(z.enum(STATUSES), count),
  /** All of them, archived ones included. */
  total: count,
})
export type BoardView = z.infer<typeof boardView>
