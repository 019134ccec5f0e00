import * as z from 'zod'
import { typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({
  parent: typedCard.describe('The card that must be done first'),
  child: typedCard.describe('The card that waits for it'),
})
/** The child, with its parents. */
export const output = taskView
