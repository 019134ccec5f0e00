import * as z from 'zod'
import { count, taskId } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'

export const input = z.object({
  task: typedCard,
  patch: z.boolean().default(true).describe('The changed lines too, not only the names and counts'),
})
const fileChange = z.object({ path: z.string(), added: count.nullable(), removed: count.nullable() })
export const output = z.object({
  id: taskId,
  branch: z.string(),
  base: z.string(),
  head: z.string(),
  files: z.array(fileChange).readonly(),
  patch: z.string().nullable(),
})
