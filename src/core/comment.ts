import * as z from 'zod'
import { commentId, line, runId, slug, taskId, text, time } from './input/fields.ts'
import { BLOCK_KINDS } from './vocabulary.ts'

/** The commands that let a card continue and accept an answer. The verifier of a swarm uses `request_changes`. */
const ANSWER_VERBS = ['unblock', 'reopen', 'promote', 'request_changes'] as const

/** The command that carried an answer, and the question that was answered. */
const answerToSchema = z.object({
  verb: z.enum(ANSWER_VERBS),
  /** The question: the reason of the block. Null means that the card was not blocked. */
  question: text.nullable(),
  kind: z.enum(BLOCK_KINDS).nullable(),
  askedBy: line.nullable(),
  askedAt: time.nullable(),
})
export type AnswerTo = z.infer<typeof answerToSchema>

/** The maximum length of a comment. Workers read the comments of their card, so a longer text belongs in a file. */
const COMMENT_MAX = 65_536

export const commentBody = line.refine(
  (value) => value.length <= COMMENT_MAX,
  `must be at most ${COMMENT_MAX} characters; attach a file instead`,
)

export const commentSchema = z.object({
  board: slug,
  id: commentId,
  taskId,
  /** The author. The value comes from the identity of the calling process, never from the request. */
  author: line,
  runId: runId.nullable(),
  body: text,
  createdAt: time,
  /** Set if the comment was given with `unblock`, `reopen` or `promote`. */
  answerTo: answerToSchema.nullable(),
})
export type Comment = z.infer<typeof commentSchema>
