import * as z from 'zod'
import { name } from '../core/fields.ts'

export const input = z.object({ name: name.optional().describe('Only this agent') })
export const output = z
  .array(
    z.object({
      name: z.string(),
      file: z.string().nullable(),
      isUsable: z.boolean(),
      problems: z.array(z.string()).readonly(),
      /** What would be started, its program resolved and its placeholders as they stand; null: the card's own body. */
      runs: z.array(z.string()).readonly().nullable(),
    }),
  )
  .readonly()
export type CheckedAgent = z.infer<typeof output>[number]
