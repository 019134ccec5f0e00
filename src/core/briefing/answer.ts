/**
 * The field for an answer that a person gives with `unblock`, `reopen` or `promote`. The answer is stored as a comment,
 * together with the question. Later briefings begin with both, until the card is done.
 */
import * as z from 'zod'
import { actorName, actorRun } from '../actor.ts'
import type { Actor } from '../actor.ts'
import { commentBody } from '../comment.ts'
import type { AnswerTo } from '../comment.ts'
import type { Change } from '../decision.ts'
import { commentId } from '../input/fields.ts'
import type { Task } from '../task.ts'
import { trimmedTo } from '../text.ts'

/**
 * The caller chooses the id of the comment that stores the answer. If the caller sends the answer twice, the board
 * recognises the id.
 */
export const answerField = z.object({ id: commentId, text: commentBody }).nullable().default(null)
export type GivenAnswer = z.infer<typeof answerField>

interface AnswerContext {
  readonly verb: AnswerTo['verb']
  readonly actor: Actor
  readonly now: number
}

/** Builds the changes that store the answer as a comment. The list is empty if the caller gave no answer. */
export function recordAnswer(task: Task, answer: GivenAnswer, { verb, actor, now }: AnswerContext): Change[] {
  if (answer === null) return []
  const row = {
    board: task.board,
    id: answer.id,
    taskId: task.id,
    author: actorName(actor),
    runId: actorRun(actor),
    body: answer.text,
    createdAt: now,
    answerTo: { verb, ...questionOf(task) },
  }
  return [{ op: 'insert_comment', row }]
}

/** The question is the reason of the card's block. A card keeps this reason until a command lifts the block. */
const questionOf = ({ blockReason, blockKind, blockedBy, recentBlocks }: Task): Omit<AnswerTo, 'verb'> => ({
  question: blockReason,
  kind: blockKind,
  askedBy: blockedBy,
  askedAt: blockReason === null ? null : (recentBlocks.findLast(({ kind }) => kind === blockKind)?.at ?? null),
})

/** Events carry only the beginning of a long answer. The comment has the whole text. */
const EVENT_REASON = 2000
export const answerReason = (answer: GivenAnswer): string | null =>
  answer === null ? null : trimmedTo(answer.text, EVENT_REASON)
