import * as z from 'zod'
import { line, slug, taskId, time } from './input/fields.ts'

/** parent → child: the child waits until the parent is satisfied or a person waives this link. */
export const linkSchema = z.object({
  board: slug,
  parentId: taskId,
  childId: taskId,
  createdAt: time,
  waivedBy: line.nullable(),
  waivedAt: time.nullable(),
})
export type Link = z.infer<typeof linkSchema>
