import * as z from 'zod'
import { attachmentId, count, line, runId, slug, taskId, text, time } from './input/fields.ts'

/** A file that is stored already; the verb that records it adds the other fields. */
export const storedFileSchema = z.object({
  id: attachmentId,
  filename: line,
  /** Relative to the board's attachments folder, so that a data folder can be moved. */
  storedPath: text,
  contentType: text.nullable(),
  size: count,
  sha256: text.nullable(),
})
export type StoredFile = z.infer<typeof storedFileSchema>

export const attachmentSchema = z.object({
  board: slug,
  id: attachmentId,
  taskId,
  ...storedFileSchema.omit({ id: true }).shape,
  uploadedBy: line,
  runId: runId.nullable(),
  createdAt: time,
})
export type Attachment = z.infer<typeof attachmentSchema>
