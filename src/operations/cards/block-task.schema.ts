import * as z from 'zod'
import { line } from '../../core/input/fields.ts'
import { ASKED_BLOCK_KINDS } from '../../core/vocabulary.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  reason: line.describe('What must happen before it can go on'),
  kind: z.enum(ASKED_BLOCK_KINDS).default('needs_input').describe('What kind of obstacle it is'),
})
export const output = taskView
