import * as z from 'zod'
import { line, time } from '../../core/input/fields.ts'
import { pause } from './pauses.schema.ts'
import { placeFields } from './place-fields.ts'

export const input = z.object({
  ...placeFields,
  reason: line.nullable().default(null).describe('Why, for whoever wonders'),
  until: time.nullable().default(null).describe('When it ends by itself'),
})
export const output = pause.extend({
  /** False where this machine knows no such agent or account: it may be a typing error. */
  known: z.boolean(),
  /** The one of this machine that may have been meant then. */
  meant: z.string().nullable(),
})
