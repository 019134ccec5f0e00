import * as z from 'zod'
import { absolutePath, taskId } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { snapshot } from './list-snapshots.schema.ts'

export const input = z.object({
  task: typedCard,
  to: absolutePath.describe('A folder that is not there yet, or is empty'),
  snapshot: z.string().nullable().default(null).describe('Which one; the newest otherwise'),
})
export const output = z.object({ id: taskId, to: z.string(), snapshot })
