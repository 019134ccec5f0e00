/** The small schemas from which all other schemas are built. */
import * as z from 'zod'
import { ATTACHMENT_ID, COMMENT_ID, RUN_ID, SERIES_ID, SLUG, TASK_ID } from '../ids.ts'
import type { AttachmentId, CommentId, RunId, SeriesId, TaskId } from '../ids.ts'
import { storable, textFault } from '../text.ts'

export const text = z.string().superRefine((value, ctx) => {
  const fault = textFault(value)
  if (fault) ctx.addIssue({ code: 'custom', message: fault, params: { code: 'bad_text' } })
})

/**
 * The published type of the schemas below. The generator cannot find this type itself, because these schemas transform
 * or check texts in code.
 */
const TEXT = { type: 'string' } as const

/** The output of a program. Characters that the store cannot hold are removed from the text. */
export const programOutput = z.string().transform(storable).meta(TEXT)

/** A text that is not blank, such as a title, a reason or a name. The text is stored trimmed. */
export const line = text
  .transform((value) => value.trim())
  .refine((value) => value !== '', 'must not be blank')
  .meta(TEXT)

/** The name of an agent or account. The name is stored trimmed and in lower case, because names are compared. */
export const name = line.transform((value) => value.toLowerCase()).meta(TEXT)

/** An absolute path, valid in any working directory. */
export const absolutePath = text.refine((value) => value.startsWith('/'), 'must be an absolute path')

/** A relative path that stays inside its base folder. */
export const innerPath = line.refine(
  (value) => !value.startsWith('/') && !value.split('/').some((part) => part === '..' || part === '.git'),
  'must be a path within the repository',
)

const idOf = <Id extends string>(form: RegExp, message: string) =>
  z.custom<Id>((value) => typeof value === 'string' && form.test(value), message).meta(TEXT)

export const taskId = idOf<TaskId>(TASK_ID, 'is not a card id')
export const runId = idOf<RunId>(RUN_ID, 'is not a run id')
export const commentId = idOf<CommentId>(COMMENT_ID, 'is not a comment id')
export const attachmentId = idOf<AttachmentId>(ATTACHMENT_ID, 'is not an attachment id')
export const seriesId = idOf<SeriesId>(SERIES_ID, 'is not the id of a series')
export const slug = z
  .string()
  .regex(SLUG, 'must have 1-64 characters (a-z, 0-9, _ or -) and start with a letter or digit')

/**
 * A time in milliseconds since 1970, the only form of time on the board. The maximum is the last time that a `Date` can
 * hold.
 */
export const time = z.int().min(0).max(8_640_000_000_000_000)
/** A duration of at most a century, so that products of durations are exact integers. */
export const duration = z.int().min(0).max(3_155_760_000_000)
export const count = z.int().min(0)

export const json = z.record(z.string(), z.json())
export type Json = z.infer<typeof json>
