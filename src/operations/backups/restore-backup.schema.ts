import * as z from 'zod'
import { count } from '../../core/input/fields.ts'
import { output as findings } from '../machine/run-doctor.schema.ts'

export const input = z.object({
  backup: z.string().describe('A name that backup list shows, or a path'),
  yes: z.boolean().default(false).describe('Do it; without it only say what would happen'),
  force: z.boolean().default(false).describe('Also while a dispatcher or runs are alive'),
})

export const output = z.object({
  restored: z.boolean(),
  from: z.string(),
  boards: count,
  cards: count,
  /** Runs that were open in the backup: they end as interrupted. */
  interruptedRuns: count,
  findings,
  /** What it replaces; null when there is nothing, or nothing that can be read. */
  replaces: z.object({ boards: count, cards: count, openRuns: count, dispatcher: z.boolean() }).nullable(),
  /** Where what was there before has been put. */
  saved: z.string().nullable(),
})
export type Restoration = z.infer<typeof output>
