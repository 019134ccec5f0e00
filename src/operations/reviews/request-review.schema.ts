import * as z from 'zod'
import { json, name, text } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  summary: text.nullable().default(null).describe('What there is to review'),
  metadata: json.nullable().default(null).describe('A JSON object to keep with the run'),
  reviewer: name.nullable().default(null).describe('The agent that reviews it'),
})
export const output = taskView
