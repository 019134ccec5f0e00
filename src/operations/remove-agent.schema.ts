import * as z from 'zod'
import { name } from '../core/fields.ts'

export const input = z.object({ name: name.describe('The agent') })
export const output = z.object({
  name: z.string(),
  /** The file that made it one. */
  file: z.string(),
  /** Where that is kept; null: it belongs to a repository and stays where it is, no longer approved. */
  kept: z.string().nullable(),
  /** Cards that wait for it still. */
  waiting: z.int().min(0),
})
export type RemovedAgent = z.infer<typeof output>
