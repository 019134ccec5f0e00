import * as z from 'zod'
import { line } from '../../core/input/fields.ts'
import { SLOT_KINDS } from '../../core/vocabulary.ts'
import { placeFields } from './place-fields.ts'

export const input = z.object(placeFields)
export const output = z.object({
  kind: z.enum(SLOT_KINDS),
  name: line,
  /** Whether it was paused before. */
  wasPaused: z.boolean(),
})
