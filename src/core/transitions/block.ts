import * as z from 'zod'
import { actorName } from '../actor.ts'
import { answerField, answerReason, recordAnswer } from '../briefing/answer.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, runId, taskId } from '../input/fields.ts'
import { FRESH_COUNTERS, NOT_BLOCKED, blockMove, forgetRejections, renewTurns } from '../moves.ts'
import { readyOrTodo } from '../gates/readiness.ts'
import { accepts } from '../status.ts'
import { ASKED_BLOCK_KINDS } from '../vocabulary.ts'
import {
  changeableTask,
  taskIfMayCloseBreaker,
  recordIntent,
  isRefused,
  refuseIfTripped,
  isRepeated,
  liveRun,
  taskResult,
  wrongStatus,
} from './guards.ts'
import { closeRun, syntheticRun } from './runs.ts'

/**
 * Stops a card until a person unblocks the card. The card's own worker does not use this verb; it reports a verdict.
 */
export const block = defineVerb({
  name: 'block',
  input: z.object({ task: taskId, runId, reason: line, kind: z.enum(ASKED_BLOCK_KINDS).default('needs_input') }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { task, runId: id } }) => ({
    lastAttempt: { fact: 'last_attempt' as const, task },
    existing: { fact: 'run_exists' as const, id },
  }),
  decide: ({ rows, board, facts, input, actor, now }) => {
    const task = changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    if (isRepeated(task, facts.existing)) return accept(taskResult(task, task.status, { runId: input.runId }))
    const tripped = refuseIfTripped(task, actor)
    if (tripped) return tripped
    const { reason, kind } = input
    const by = actorName(actor)
    const live = liveRun(rows, task)
    if (live) {
      return recordIntent({ task, run: live, actor, now }, { verb: 'block', reason, blockKind: kind })
    }
    const manual = rows.runs.get(task.id) ?? null
    if (manual === null && !accepts(task.status, 'block'))
      return wrongStatus(task, 'block', 'ready, running or in review')
    const inReview = (manual?.fromStatus ?? task.status) === 'review'
    const closed = manual?.id ?? input.runId
    const move = blockMove(task, { kind, reason, by }, { settings: board.settings, now, runId: closed, inReview })
    const handOff = { summary: reason, metadata: null }
    return accept(taskResult(task, move.patch.status, { runId: closed }), {
      changes: [
        manual
          ? closeRun(manual, 'blocked', now, handOff)
          : syntheticRun(task, { id: closed, attempt: facts.lastAttempt + 1, now, by, outcome: 'blocked' }, handOff),
        { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
      ],
      events: move.events,
    })
  },
})

/**
 * Lets a blocked or scheduled card continue. If the board stopped the card at a limit, only a person may use this verb.
 */
export const unblock = defineVerb({
  name: 'unblock',
  input: z.object({
    task: taskId,
    answer: answerField,
    /** Whether earlier attempts no longer count against the attempts limit. */
    reset: z.boolean().default(false),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { answer } }) => ({ existing: { fact: 'comment' as const, id: answer?.id ?? null } }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = taskIfMayCloseBreaker(rows, input.task, actor)
    if (isRefused(task)) return task
    const { reset } = input
    if (reset && actor.kind !== 'person')
      return refuse('not_allowed', `Only a person may reset the attempts of ${task.id}.`, { id: task.id })
    if (isRepeated(task, facts.existing)) return accept(taskResult(task))
    if (task.status === 'triage')
      return refuse('wrong_status', `Card ${task.id} is in triage: promote it instead.`, {
        id: task.id,
        status: task.status,
      })
    if (!accepts(task.status, 'unblock')) return wrongStatus(task, 'unblock', 'blocked or scheduled')
    const status = task.resumeStatus ?? readyOrTodo(task)
    return accept(taskResult(task, status), {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: {
            ...FRESH_COUNTERS,
            ...NOT_BLOCKED,
            ...renewTurns(task),
            ...forgetRejections(task),
            status,
            scheduledAt: null,
            ...(reset ? { attemptsSince: now } : {}),
          },
        },
        ...recordAnswer(task, input.answer, { verb: 'unblock', actor, now }),
      ],
      events: [
        {
          kind: 'unblocked',
          taskId: task.id,
          data: { status, reason: answerReason(input.answer), ...(reset ? { reset } : {}) },
        },
      ],
    })
  },
})
