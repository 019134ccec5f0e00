/** The input fields that many operations on a card share. */
import * as z from 'zod'
import { commentBody } from '../../core/comment.ts'
import { line } from '../../core/input/fields.ts'

export const cardRef = z.string().describe('The id of a card, or the beginning of one')

export const reason = line.nullable().default(null).describe('Why, for the history')

export { commentBody } from '../../core/comment.ts'

/** The reason given with `unblock`, `reopen` or `promote`. */
export const answer = commentBody
  .nullable()
  .default(null)
  .describe('An answer or instruction for its next worker, shown first in its briefing')
