import * as z from 'zod'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  parent: typedCard.describe('The card that must be done first'),
  child: typedCard.describe('The card that waits for it'),
})
/** The child, with its parents. */
export const output = taskView
