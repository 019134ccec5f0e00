import * as z from 'zod'
import { line } from '../core/fields.ts'
import { typedCard } from './card-fields.ts'
import { taskView } from './views.ts'

export const input = z.object({ task: typedCard, reason: line.describe('What has to change') })
export const output = taskView
