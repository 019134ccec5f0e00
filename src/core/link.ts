import * as z from 'zod'
import { line, slug, taskId, time } from './input/fields.ts'

/** A link from a parent to a child. The child waits until the parent is finished or a person waives the link. */
export const linkSchema = z.object({
  board: slug,
  parentId: taskId,
  childId: taskId,
  createdAt: time,
  waivedBy: line.nullable(),
  waivedAt: time.nullable(),
})
export type Link = z.infer<typeof linkSchema>
