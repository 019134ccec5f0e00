import * as z from 'zod'
import { runId, text } from '../../core/input/fields.ts'
import { PHASES } from '../../core/vocabulary.ts'
import { askedLog } from './log-fields.ts'

export const input = z.object(askedLog)
export const output = z.object({
  run: runId,
  attempt: z.int().min(1),
  phase: z.enum(PHASES),
  path: text,
  /** As it was printed; bytes that are no UTF-8 are replaced. */
  text: z.string(),
  /** Whether something is missing: before the tail that was asked for, or between the beginning and the end. */
  truncated: z.boolean(),
})
