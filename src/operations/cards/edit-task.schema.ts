import * as z from 'zod'
import { someEditShape } from '../../core/input/card-input.ts'
import { json, text } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

/** Fields that are not given stay as they are; null empties a field. */
export const input = z.object({
  ...someEditShape,
  task: typedCard,
  result: text.exactOptional().describe('The result of a finished card'),
  summary: text.exactOptional().describe('The summary of a finished card'),
  metadata: json.exactOptional().describe('A JSON object to keep with a finished card'),
  resetFailures: z.boolean().default(false).describe('Reset its failure count'),
  freshWorkspace: z.boolean().default(false).describe('Start again without its files, which are on another machine'),
  clearClaim: z.boolean().default(false).describe('Stop its run, as reclaim does'),
})
export const output = taskView
