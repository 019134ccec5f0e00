import * as z from 'zod'
import { name } from '../../core/input/fields.ts'
import { reason, typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  assignee: name.describe('The agent that does it from now on'),
  reclaim: z.boolean().default(false).describe('Take it from its worker if it is running'),
  reason,
})
export const output = taskView
