import * as z from 'zod'
import { slug } from '../core/fields.ts'

export const input = z.object({ board: slug.describe('A board to make besides the first one').optional() })
export const output = z.object({
  home: z.string(),
  /** Where the store is, without a password. */
  store: z.string(),
  board: slug,
  /** False when everything was there already. */
  created: z.boolean(),
})
