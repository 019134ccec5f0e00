import * as z from 'zod'
import { answer, typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  reason: answer,
  force: z.boolean().default(false).describe('Even though a parent is open: that link no longer counts'),
})
export const output = taskView
