import * as z from 'zod'
import { line, time } from './input/fields.ts'
import { identitySchema } from './run.ts'

/** The one dispatcher that is active on a machine. Every write it makes compares `tokenHash` in the same transaction. */
export const dispatcherSchema = z.object({
  machine: line,
  tokenHash: line,
  identity: identitySchema,
  since: time,
  leaseUntil: time,
})
export type Dispatcher = z.infer<typeof dispatcherSchema>
