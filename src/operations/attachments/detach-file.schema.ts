import * as z from 'zod'
import { typedCard } from '../shared/card-fields.ts'
import { attachmentView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  file: z.string().describe('The name of the file, or the id of the attachment'),
})
export const output = attachmentView
