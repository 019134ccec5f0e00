import * as z from 'zod'
import { line, text, time } from './input/fields.ts'
import { SLOT_KINDS } from './vocabulary.ts'

/**
 * Something whose open runs are counted against a cap, and which a person may pause: a machine, a board, an agent, an
 * account. A claim locks the row and counts again before it writes, so that two claims never both take the last place.
 */
export const slotSchema = z.object({
  kind: z.enum(SLOT_KINDS),
  name: line,
  pausedAt: time.nullable(),
  pausedBy: line.nullable(),
  pauseReason: text.nullable(),
  /** When it opens by itself; null: when somebody resumes it. */
  pausedUntil: time.nullable(),
  /** Since when it is open again: what crashed before is old news. */
  resumedAt: time.nullable(),
})
export type Slot = z.infer<typeof slotSchema>
export type SlotKey = Pick<Slot, 'kind' | 'name'>
