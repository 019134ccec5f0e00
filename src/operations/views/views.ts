import * as z from 'zod'
import { line, slug, time } from '../../core/input/fields.ts'

export const savedView = z.object({
  name: line,
  /** Null means all boards. */
  board: slug.nullable(),
  query: z.string(),
  createdBy: line,
  createdAt: time,
  updatedAt: time,
})
