import * as z from 'zod'
import { answer, typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  reason: answer,
  reset: z.boolean().default(false).describe('Also forget the attempts of the last 24 hours; only a person may'),
})
export const output = taskView
