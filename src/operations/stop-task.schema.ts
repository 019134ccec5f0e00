import * as z from 'zod'
import { reason, typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({ task: typedCard, reason })
export const output = taskView
