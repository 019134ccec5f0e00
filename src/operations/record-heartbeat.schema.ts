import * as z from 'zod'
import { line } from '../core/fields.ts'
import { typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({
  task: typedCard,
  note: line.nullable().default(null).describe('How far it has come'),
})
export const output = taskView
