import * as z from 'zod'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({ task: typedCard })
export const output = taskView
