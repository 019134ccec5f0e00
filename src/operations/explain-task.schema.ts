import * as z from 'zod'
import { GATES } from '../core/admission.ts'
import { text, time } from '../core/fields.ts'
import { taskView } from './views.ts'

export const input = z.object({ task: z.string().describe('The id of a card, or the beginning of one') })

const reason = z.object({
  gate: z.enum(GATES),
  message: text,
  /** Something to do or to wait for. */
  clearedBy: text,
  /** When it clears by itself; null when it does not, or nobody knows. */
  at: time.nullable(),
})

export const output = z.object({ task: taskView, reasons: z.array(reason).min(1).readonly() })
export type Explanation = z.infer<typeof output>
