import * as z from 'zod'
import { attachmentId, count, line, runId, slug, taskId, text, time } from './input/fields.ts'

/** A file that the caller has already stored. The verb that records the file adds the card, the author and the time. */
export const storedFileSchema = z.object({
  id: attachmentId,
  filename: line,
  /** The path, relative to the board's attachments folder, so that a data folder can be moved. */
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
