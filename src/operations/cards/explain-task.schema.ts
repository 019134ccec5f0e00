import * as z from 'zod'
import { reasonView } from './reason-view.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({ task: z.string().describe('The id of a card, or the beginning of one') })

export const output = z.object({ task: taskView, reasons: z.array(reasonView).min(1).readonly() })
export type Explanation = z.infer<typeof output>
