import * as z from 'zod'
import { runState } from '../runs/run-fields.ts'
import { taskDetails } from '../shared/views.ts'

export const input = z.object({
  task: z.string().describe('The id of a card, or the beginning of one'),
  commentsBefore: z.string().exactOptional().describe('Show the comments before this one'),
  ...runState,
})
export const output = taskDetails
