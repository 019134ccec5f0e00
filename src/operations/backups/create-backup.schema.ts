import * as z from 'zod'
import { absolutePath, count, time } from '../../core/input/fields.ts'

export const backupView = z.object({
  name: z.string(),
  path: z.string(),
  bytes: count,
  createdAt: time,
})

export const input = z.object({
  to: absolutePath.nullable().default(null).describe('Where to put it, instead of the folder of backups'),
})
/** It was read back and checked before it got its name. */
export const output = backupView.extend({ verified: z.literal(true) })
