import * as z from 'zod'
import { taskId } from '../../core/input/fields.ts'
import { planSchema } from '../../planning/plans/plan.ts'
import { cardRef } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

const planField = planSchema
  .nullable()
  .default(null)
  .describe('The plan to apply, as returned without this field; null: ask the model')

export const planInputShape = {
  task: cardRef,
  plan: planField,
  apply: z.boolean().default(false).describe('Apply the plan of the model at once'),
  hold: z.boolean().default(false).describe('Put the planned cards on hold until they are released'),
}

export const planResult = z.object({
  id: taskId,
  /** Whether the plan was applied. Otherwise nothing was written. */
  applied: z.boolean(),
  plan: planSchema,
  /** The new cards, in the order of the plan. */
  children: z.array(taskId).readonly(),
  task: taskView,
})
export type PlanResult = z.infer<typeof planResult>
