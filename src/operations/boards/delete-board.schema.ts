import * as z from 'zod'
import { slug } from '../../core/input/fields.ts'

export const input = z.object({ slug: slug.describe('The board: an archived or an empty one') })
export const output = z.object({
  slug,
  name: z.string(),
  /** Where its files on this machine are now; null when it had none. */
  files: z.string().nullable(),
})
