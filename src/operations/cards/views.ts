/** The output schema of a reason. */
import * as z from 'zod'
import { text, time } from '../../core/input/fields.ts'
import { GATES, REASON_CODES, REMEDY_OPERATIONS } from '../../core/reasons/reason.ts'
import type { Reason } from '../../core/reasons/reason.ts'

const remedy = z.object({
  operation: z.enum(REMEDY_OPERATIONS),
  input: z.record(z.string(), z.union([text, z.boolean()])),
  /** Fields of the input that the caller chooses. */
  asks: z.array(z.string()),
})

const shape = z.object({
  gate: z.enum(GATES),
  code: z.enum(REASON_CODES),
  params: z.record(z.string(), z.unknown()),
  remedies: z.array(remedy),
  /** When the reason ends without a command. Null if it does not end alone, or if the time is unknown. */
  until: time.nullable(),
})

/** A reason as core returns it. The cast is needed, because only TypeScript knows the parameters of each code. */
export const reasonView = shape as unknown as z.ZodType<Reason>
