/** The output schemas of a board and its feed. */
import * as z from 'zod'
import { boardSchema } from '../../core/board.ts'
import { count } from '../../core/input/fields.ts'
import { STATUSES } from '../../core/vocabulary.ts'
import { eventView } from '../shared/views.ts'

export const boardView = boardSchema.omit({ updatedAt: true }).extend({
  /** Whether the board is the current board on this machine. */
  isCurrent: z.boolean(),
  /** Cards by status, without those in the trash. */
  counts: z.record(z.enum(STATUSES), count),
  /** All cards, including archived ones. */
  total: count,
})
export type BoardView = z.infer<typeof boardView>

const cursor = z.string().describe('The position in the feed after this event')

/** `resync` means that the feed no longer knows the cursor and continues from now. */
export const followed = z.union([eventView.extend({ cursor }), z.object({ kind: z.literal('resync'), cursor })])
