import * as z from 'zod'
import { commentId, line, runId, slug, taskId, text, time } from './input/fields.ts'
import { BLOCK_KINDS } from './vocabulary.ts'

/** The commands that let a card continue and may carry an answer. */
const ANSWER_VERBS = ['unblock', 'reopen', 'promote'] as const

/** The command that carried the comment, and the question of the block that the command lifted. */
const answerToSchema = z.object({
  verb: z.enum(ANSWER_VERBS),
  /** The reason of the block. Null means that the card was not blocked. */
  question: text.nullable(),
  kind: z.enum(BLOCK_KINDS).nullable(),
  askedBy: line.nullable(),
  askedAt: time.nullable(),
})
export type AnswerTo = z.infer<typeof answerToSchema>

/** Workers read the comments of their card, so a longer text belongs in a file. */
const COMMENT_MAX = 65_536

export const commentBody = line.refine(
  (value) => value.length <= COMMENT_MAX,
  `must be at most ${COMMENT_MAX} characters; attach a file instead`,
)

export const commentSchema = z.object({
  board: slug,
  id: commentId,
  taskId,
  /** Taken from the caller's runtime identity, never from the request. */
  author: line,
  runId: runId.nullable(),
  body: text,
  createdAt: time,
  /** Set on a comment given with `unblock`, `reopen` or `promote`. */
  answerTo: answerToSchema.nullable(),
})
export type Comment = z.infer<typeof commentSchema>
