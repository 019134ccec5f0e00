import * as z from 'zod'
import { line } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({ task: typedCard, reason: line.describe('What has to change') })
export const output = taskView
