import * as z from 'zod'
import { text } from '../core/fields.ts'
import { typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({ task: typedCard })
export const output = z.object({
  task: taskView,
  /** Exactly what may run from now on: the body only where the card's agent runs it as a script. */
  commands: z.object({ body: text.nullable(), checks: z.array(text) }),
  /** SHA-256 of what was approved, as the event keeps it. */
  hash: z.string(),
})
