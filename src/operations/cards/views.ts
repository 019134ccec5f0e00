/** The output schema of a reason. */
import * as z from 'zod'
import { text, time } from '../../core/input/fields.ts'
import { GATES, REASON_CODES, REMEDY_OPERATIONS } from '../../core/reasons/reason.ts'
import type { Reason } from '../../core/reasons/reason.ts'

const remedy = z.object({
  operation: z.enum(REMEDY_OPERATIONS),
  input: z.record(z.string(), z.union([text, z.boolean()])),
  /** The input fields that the person must fill in, such as a time. */
  asks: z.array(z.string()),
})

const shape = z.object({
  gate: z.enum(GATES),
  code: z.enum(REASON_CODES),
  params: z.record(z.string(), z.unknown()),
  remedies: z.array(remedy),
  /**
   * The time at which the reason ends without a command. Null means that only a command ends the reason, or that the
   * time is unknown.
   */
  until: time.nullable(),
})

/**
 * A reason in the form that core returns. The cast is needed, because a schema cannot describe the parameters of each
 * code.
 */
export const reasonView = shape as unknown as z.ZodType<Reason>
