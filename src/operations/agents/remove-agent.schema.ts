import * as z from 'zod'
import { name } from '../../core/input/fields.ts'

export const input = z.object({ name: name.describe('The agent') })
export const output = z.object({
  name: z.string(),
  /** The file that made it one. */
  file: z.string(),
  /** Where that is kept; null: it belongs to a repository and stays where it is, no longer approved. */
  kept: z.string().nullable(),
  /** Who has its name from here on: an agent of a repository, or the one that is built in (no file). */
  successor: z.object({ file: z.string().nullable() }).nullable(),
  /** Cards that it leaves. */
  waiting: z.int().min(0),
})
export type RemovedAgent = z.infer<typeof output>
