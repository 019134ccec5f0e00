import * as z from 'zod'
import { line, text } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  summary: text.nullable().default(null).describe('What was found good'),
  force: line.nullable().default(null).describe('Why its checks are skipped'),
})
export const output = taskView
