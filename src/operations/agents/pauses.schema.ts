import * as z from 'zod'
import { PAUSE_CAUSES } from '../../core/account.ts'
import { line, text, time } from '../../core/input/fields.ts'
import { SLOT_KINDS } from '../../core/vocabulary.ts'

export const pause = z.object({
  kind: z.enum(SLOT_KINDS),
  name: line,
  /** Of an account: a person's word, or what its provider said. */
  cause: z.enum(PAUSE_CAUSES).nullable(),
  by: line.nullable(),
  since: time,
  /** When it ends by itself; null: when somebody resumes it. */
  until: time.nullable(),
  reason: text.nullable(),
})
export type Pause = z.infer<typeof pause>
