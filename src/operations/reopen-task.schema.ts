import * as z from 'zod'
import { answer, typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({ task: typedCard, reason: answer })
export const output = taskView
