import * as z from 'zod'
import { runState } from './run-state.schema.ts'
import { runView } from '../shared/views.ts'

export const input = z.object({
  task: z.string().describe('The id of a card, or the beginning of one'),
  ...runState,
})
export const output = z.array(runView).readonly()
