import * as z from 'zod'
import { absolutePath, name } from '../../core/input/fields.ts'

export const input = z.object({
  name: name.describe('The agent'),
  to: absolutePath.optional().describe('The file to write'),
})
export const output = z.object({
  name: z.string(),
  /** The whole agent, its name included, as `agents import` takes it. */
  text: z.string(),
  /** Where it was written; null: nowhere. */
  path: z.string().nullable(),
})
