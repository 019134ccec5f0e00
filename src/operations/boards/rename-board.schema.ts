import * as z from 'zod'
import { line, slug } from '../../core/input/fields.ts'
import { boardView } from './board-view.schema.ts'

export const input = z.object({
  slug: slug.describe('The board'),
  name: line.describe('Its new name for people; the slug stays'),
})
export const output = boardView
