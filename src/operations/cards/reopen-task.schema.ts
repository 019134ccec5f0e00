import * as z from 'zod'
import { answer, typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({ task: typedCard, reason: answer })
export const output = taskView
