import * as z from 'zod'
import { commentSchema } from '../../core/comment.ts'
import { line } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'

export const input = z.object({
  task: typedCard,
  body: line.describe('What there is to say'),
  maxLength: z.int().min(1).nullable().default(null).describe('Trim it to so many characters, visibly'),
})
export const output = commentSchema
