import * as z from 'zod'
import { absolutePath, json, line, text } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  summary: text.nullable().default(null).describe('What changed, for whoever works on the next card'),
  result: text.nullable().default(null).describe('What came out of it'),
  metadata: json.nullable().default(null).describe('A JSON object to keep with the card'),
  artifacts: z
    .array(absolutePath)
    .max(100)
    .exactOptional()
    .describe('Files of this machine to attach with the completion'),
  createdCards: z.array(z.string()).max(1000).exactOptional().describe('Cards that were made while it was worked on'),
  force: line.nullable().default(null).describe('Why its checks are skipped'),
})
export const output = taskView
