import * as z from 'zod'
import { reason, typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({ task: typedCard, reason })
export const output = taskView
