/** Fields that many operations on a card share. */
import * as z from 'zod'
import { bodyField } from '../core/card-input.ts'
import { line } from '../core/fields.ts'

export const typedCard = z.string().describe('The id of a card, or the beginning of one')

export const reason = line.nullable().default(null).describe('Why, for whoever reads the history')

/** The reason given with `unblock`, `reopen` or `promote`. */
export const answer = line
  .pipe(bodyField)
  .nullable()
  .default(null)
  .describe('An answer or instruction for its next worker, shown first in its briefing')
