import * as z from 'zod'
import { time } from '../../core/input/fields.ts'
import { reason, typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  at: time.nullable().default(null).describe('When it goes on by itself; without it, when somebody unblocks it'),
  reason,
})
export const output = taskView
