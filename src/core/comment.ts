import * as z from 'zod'
import { commentId, line, runId, slug, taskId, text, time } from './fields.ts'

export const commentSchema = z.object({
  board: slug,
  id: commentId,
  taskId,
  /** From the runtime identity of whoever wrote it, never from the text of a request. */
  author: line,
  runId: runId.nullable(),
  body: text,
  createdAt: time,
})
export type Comment = z.infer<typeof commentSchema>
