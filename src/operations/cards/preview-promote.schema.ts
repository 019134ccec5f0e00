import * as z from 'zod'
import { taskId } from '../../core/input/fields.ts'
import { input as promotion } from './promote-task.schema.ts'
import { taskView } from '../shared/views.ts'

export const input = promotion
export const output = z.object({
  /** As it is now: nothing was changed. */
  task: taskView,
  /** The open parents that a force would overrule. */
  waives: z.array(taskId).readonly(),
})
