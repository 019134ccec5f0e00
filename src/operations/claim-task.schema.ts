import * as z from 'zod'
import { typedCard } from './card-fields.ts'
import { runView, taskView } from './views.ts'

export const input = z.object({ task: typedCard })
export const output = z.object({ task: taskView, run: runView })
