/**
 * The text that a person or an orchestrator gives when they let a card go on: a comment that knows its question. The
 * briefings of later runs show it first, until the card is done.
 */
import * as z from 'zod'
import { actorName, actorRun } from './actor.ts'
import type { Actor } from './actor.ts'
import { bodyField } from './card-input.ts'
import type { AnswerTo } from './comment.ts'
import type { Change } from './decision.ts'
import { commentId, line } from './fields.ts'
import type { Task } from './task.ts'
import { trimmedTo } from './text.ts'

/** `id`: the comment that keeps it, minted by the caller, so that a resend is recognised. */
export const answerField = z
  .object({ id: commentId, text: line.pipe(bodyField) })
  .nullable()
  .default(null)
export type Answer = z.infer<typeof answerField>

interface Given {
  readonly verb: AnswerTo['verb']
  readonly actor: Actor
  readonly now: number
}

/** No change when no text was given. */
export function recordAnswer(task: Task, answer: Answer, { verb, actor, now }: Given): Change[] {
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

/** A card keeps the reason of its block until somebody lifts it, in triage and while it waits for parents too. */
const questionOf = ({ blockReason, blockKind, blockedBy, recentBlocks }: Task): Omit<AnswerTo, 'verb'> => ({
  question: blockReason,
  kind: blockKind,
  askedBy: blockedBy,
  askedAt: blockReason === null ? null : (recentBlocks.findLast(({ kind }) => kind === blockKind)?.at ?? null),
})

/** Events carry the beginning of a long answer; the comment has all of it. */
const EVENT_REASON = 2000
export const answerReason = (answer: Answer): string | null =>
  answer === null ? null : trimmedTo(answer.text, EVENT_REASON)
