/** Small schemas that the other schemas are built from. */
import * as z from 'zod'
import { ATTACHMENT_ID, COMMENT_ID, RUN_ID, SLUG, TASK_ID } from '../ids.ts'
import type { AttachmentId, CommentId, RunId, TaskId } from '../ids.ts'
import { storable, textFault } from '../text.ts'

export const text = z.string().superRefine((value, ctx) => {
  const fault = textFault(value)
  if (fault) ctx.addIssue({ code: 'custom', message: fault, params: { code: 'bad_text' } })
})

/** Program output. Characters that the store cannot hold are removed. */
export const programOutput = z.string().transform(storable)

/** A text that is not blank, such as a title, a reason or a name. It is stored trimmed. */
export const line = text.transform((value) => value.trim()).refine((value) => value !== '', 'must not be blank')

/** A name of an agent or account. Names are compared, so each is stored trimmed and in lower case. */
export const name = line.transform((value) => value.toLowerCase())

/** An absolute path, valid in any working directory. */
export const absolutePath = text.refine((value) => value.startsWith('/'), 'must be an absolute path')

/** A relative path that stays within the folder of another setting. */
export const innerPath = line.refine(
  (value) => !value.startsWith('/') && !value.split('/').some((part) => part === '..' || part === '.git'),
  'must be a path within the repository',
)

export const taskId = z.custom<TaskId>((value) => typeof value === 'string' && TASK_ID.test(value), 'is not a card id')
export const runId = z.custom<RunId>((value) => typeof value === 'string' && RUN_ID.test(value), 'is not a run id')
export const commentId = z.custom<CommentId>(
  (value) => typeof value === 'string' && COMMENT_ID.test(value),
  'is not a comment id',
)
export const attachmentId = z.custom<AttachmentId>(
  (value) => typeof value === 'string' && ATTACHMENT_ID.test(value),
  'is not an attachment id',
)
export const slug = z
  .string()
  .regex(SLUG, 'must have 1-64 characters (a-z, 0-9, _ or -) and start with a letter or digit')

/** Milliseconds since 1970, the only form of time on the board. The maximum is the last time that a `Date` can hold. */
export const time = z.int().min(0).max(8_640_000_000_000_000)
/** At most a century, so that products of durations stay exact. */
export const duration = z.int().min(0).max(3_155_760_000_000)
export const count = z.int().min(0)

export const json = z.record(z.string(), z.json())
export type Json = z.infer<typeof json>
