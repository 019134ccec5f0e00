import * as z from 'zod'
import { count } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'

export const checkResult = z.object({
  check: z.string(),
  ok: z.boolean(),
  fault: z.string().nullable(),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  durationMs: count,
  output: z.string(),
  leftOutBytes: count,
})

export const input = z.object({ task: typedCard })
export const output = z.array(checkResult).readonly()
