import * as z from 'zod'
import { name } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({ task: typedCard, assignee: name.nullable().describe('An agent; null: nobody') })
export const output = taskView
