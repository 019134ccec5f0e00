import * as z from 'zod'
import { name } from '../core/fields.ts'
import { typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({ task: typedCard, assignee: name.nullable().describe('An agent; null: nobody') })
export const output = taskView
