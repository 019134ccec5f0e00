import * as z from 'zod'
import { text } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { attachmentView } from '../shared/views.ts'

export const input = z.object({
  task: typedCard,
  name: text.describe('What the file is called on the card'),
  contentType: text
    .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[ -~]*)?$/, 'must be a media type such as text/plain')
    .nullable()
    .default(null)
    .describe('Its media type, such as text/plain'),
})
export const output = attachmentView
