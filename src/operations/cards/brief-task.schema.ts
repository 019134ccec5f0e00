import * as z from 'zod'
import { text } from '../../core/input/fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: z.string().describe('The id of a card, or the beginning of one'),
  role: z.enum(['work', 'review']).exactOptional().describe('Whom to tell: who works, or who reviews'),
})
export const output = z.object({ task: taskView, text })
