import * as z from 'zod'

export const input = z.object({ fix: z.boolean().default(false) })
export const output = z
  .array(
    z.object({
      rule: z.string(),
      board: z.string().nullable(),
      id: z.string().nullable(),
      message: z.string(),
      fixed: z.boolean(),
    }),
  )
  .readonly()
