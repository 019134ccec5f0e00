import * as z from 'zod'
import { actorName, actorRun } from '../actor.ts'
import { storedFileSchema } from '../attachment.ts'
import { commentBody } from '../comment.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { attachmentId, commentId, line, taskId } from '../input/fields.ts'
import { recordFiles } from './files.ts'
import { changeableTask, findTask, isRefused } from './guards.ts'
import { mentionedCards, mentionsInput } from './mentioned-cards.ts'

const PULL_REQUEST = /https:\/\/[^\s/]+\/[^\s/]+\/[^\s/]+\/(?:pull|-\/merge_requests)\/\d+/

const taken = (id: string): Refused =>
  refuse('id_taken', `Id ${id} is already used on another card: choose another id.`, { id })
const cardTaken = (id: string): Refused =>
  refuse('id_taken', `Card id ${id} is already used: choose another id.`, { id })

/**
 * Adds a comment, and cards for the agents that a person mentions in it. Every actor may comment on every card. The
 * author is the caller, never a name in the text. Sending the same comment twice changes nothing.
 */
export const comment = defineVerb({
  name: 'comment',
  input: z.object({ task: taskId, id: commentId, body: commentBody, mentions: mentionsInput }),
  scope: ({ task, mentions }) => ({
    tasks: [task],
    ...(mentions.length === 0 ? {} : { graph: true, board: 'read' as const }),
  }),
  facts: ({ input: { id, mentions } }) => ({
    existing: { fact: 'comment' as const, id },
    cards: { fact: 'cards' as const, ids: mentions.map(({ card }) => card) },
  }),
  decide: ({ rows, board, facts, input, actor, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    const result = { id: input.id, taskId: task.id }
    if (facts.existing !== null)
      return facts.existing.taskId === task.id
        ? accept({ ...result, created: facts.cards.map((card) => card.id) })
        : taken(input.id)
    if (facts.cards[0] !== undefined) return cardTaken(facts.cards[0].id)
    const author = actorName(actor)
    const row = {
      board: board.slug,
      id: input.id,
      taskId: task.id,
      author,
      runId: actorRun(actor),
      body: input.body,
      createdAt: now,
      answerTo: null,
    }
    const human = actor.kind === 'person' && task.guardUntil !== null ? { guardUntil: null, guardReason: null } : {}
    const named = PULL_REQUEST.test(input.body) ? { pullRequestAt: now } : {}
    const mentioned = mentionedCards(input.mentions, { rows, board, actor, now, task, comment: row })
    return accept(
      { ...result, created: mentioned.created },
      {
        changes: [
          { op: 'insert_comment', row },
          { op: 'update_task', id: task.id, patch: { ...human, ...named } },
          ...mentioned.changes,
        ],
        events: [
          { kind: 'commented', taskId: task.id, runId: row.runId, data: { author, length: input.body.length } },
          ...mentioned.events,
        ],
      },
    )
  },
})

/** Records a file that the caller has already stored. */
export const attach = defineVerb({
  name: 'attach',
  input: storedFileSchema.extend({ taskId }),
  scope: ({ taskId: task }) => ({ tasks: [task] }),
  facts: ({ input: { id } }) => ({ existing: { fact: 'attachment' as const, id } }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = changeableTask(rows, input.taskId, actor)
    if (isRefused(task)) return task
    if (facts.existing !== null)
      return facts.existing.taskId === task.id
        ? accept({ id: input.id, taskId: task.id, filename: facts.existing.filename })
        : taken(input.id)
    const { taskId: _, ...file } = input
    const { changes, events } = recordFiles(task, [file], { by: actorName(actor), runId: actorRun(actor), now })
    return accept(
      { id: file.id, taskId: task.id, filename: file.filename },
      { changes: [...changes, { op: 'update_task', id: task.id, patch: {} }], events },
    )
  },
})

export const detach = defineVerb({
  name: 'detach',
  input: z.object({ task: taskId, id: attachmentId, reason: line.nullable().default(null) }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { id } }) => ({ attachment: { fact: 'attachment' as const, id } }),
  decide: ({ rows, facts, input, actor }) => {
    const task = changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    if (facts.attachment?.taskId !== task.id)
      return refuse('attachment_not_found', `Card ${task.id} has no attachment ${input.id}.`, { id: input.id })
    const { filename } = facts.attachment
    return accept(
      { id: input.id, taskId: task.id, filename },
      {
        changes: [{ op: 'delete_attachment', taskId: task.id, id: input.id }],
        events: [{ kind: 'attachment_removed', taskId: task.id, data: { filename } }],
      },
    )
  },
})
