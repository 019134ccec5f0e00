import * as z from 'zod'
import { absolutePath, count } from '../../core/input/fields.ts'

export const input = z.object({ to: absolutePath.describe('The file to write; it must not be there yet') })
export const output = z.object({
  path: z.string(),
  bytes: count,
  /** How many rows each table has. */
  rows: z.record(z.string(), count),
})
