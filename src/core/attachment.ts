import * as z from 'zod'
import { attachmentId, count, line, runId, slug, taskId, text, time } from './fields.ts'

export const attachmentSchema = z.object({
  board: slug,
  id: attachmentId,
  taskId,
  filename: line,
  /** Below the board's attachments folder, so that a home can be moved. */
  storedPath: text,
  contentType: text.nullable(),
  size: count,
  sha256: text.nullable(),
  uploadedBy: line,
  runId: runId.nullable(),
  createdAt: time,
})
export type Attachment = z.infer<typeof attachmentSchema>
