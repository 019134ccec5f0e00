import * as z from 'zod'
import { json, text } from '../core/fields.ts'
import { taskView } from './views.ts'

export const input = z.object({
  task: z.string().describe('The id of a card, or the beginning of one'),
  summary: text.nullable().default(null).describe('What changed, for whoever works on the next card'),
  result: text.nullable().default(null).describe('What came out of it'),
  metadata: json.nullable().default(null).describe('A JSON object to keep with the card'),
})
export const output = taskView
