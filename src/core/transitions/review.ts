/** Reviews by people and orchestrators. A worker reports a verdict instead. */
import * as z from 'zod'
import { actorName } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { json, line, name, runId, taskId, text } from '../input/fields.ts'
import { requestChangesMove, requestReviewMove } from '../moves.ts'
import { accepts } from '../status.ts'
import { refuseUnjudged } from './goal-edits.ts'
import {
  taskIfMayCloseBreaker,
  changeableTask,
  isRefused,
  isRepeated,
  refuseIfTripped,
  liveRun,
  statusBeforeRun,
  taskResult,
  wrongStatus,
} from './guards.ts'
import { closeRun, syntheticRun } from './runs.ts'

export const requestReview = defineVerb({
  name: 'request_review',
  input: z.object({
    task: taskId,
    runId,
    summary: text.nullable().default(null),
    metadata: json.nullable().default(null),
    reviewer: name.nullable().default(null),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { task, runId: id } }) => ({
    lastAttempt: { fact: 'last_attempt' as const, task },
    existing: { fact: 'run_exists' as const, id },
  }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = changeableTask(rows, input.task, actor)
    if (isRefused(task)) return task
    if (isRepeated(task, facts.existing)) return accept(taskResult(task, task.status, { runId: input.runId }))
    const refused = refuseIfTripped(task, actor) ?? refuseUnjudged(task, actor)
    if (refused) return refused
    if (liveRun(rows, task))
      return refuse(
        'run_live',
        `Card ${task.id} is running, so only its worker can request a review. To do it yourself, run muster reclaim ${task.id} first.`,
        { id: task.id },
      )
    const manual = rows.runs.get(task.id) ?? null
    if (manual === null && !accepts(task.status, 'request_review'))
      return wrongStatus(task, 'request-review', 'ready or running')
    const { summary, metadata, reviewer } = input
    const closed = manual?.id ?? (summary === null ? null : input.runId)
    const handOff = { summary, metadata }
    const move = requestReviewMove(task, { reviewer, summary, metadata, now, runId: closed })
    const by = actorName(actor)
    return accept(taskResult(task, 'review', { runId: closed }), {
      changes: [
        ...(manual
          ? [closeRun(manual, 'review_requested', now, handOff)]
          : closed === null
            ? []
            : [
                syntheticRun(
                  task,
                  { id: closed, attempt: facts.lastAttempt + 1, now, by, outcome: 'review_requested' },
                  handOff,
                ),
              ]),
        { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
      ],
      events: move.events,
    })
  },
})

/** Sends a card in review back to its assignee, with the reasons. */
export const requestChanges = defineVerb({
  name: 'request_changes',
  input: z.object({ task: taskId, runId, reason: line }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { task, runId: id } }) => ({
    lastAttempt: { fact: 'last_attempt' as const, task },
    existing: { fact: 'run_exists' as const, id },
  }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = taskIfMayCloseBreaker(rows, input.task, actor)
    if (isRefused(task)) return task
    if (isRepeated(task, facts.existing)) return accept(taskResult(task, task.status, { runId: input.runId }))
    if (liveRun(rows, task))
      return refuse(
        'run_live',
        `An agent is reviewing card ${task.id}. Wait for its decision, or run muster reclaim ${task.id} first.`,
        { id: task.id },
      )
    const manual = rows.runs.get(task.id) ?? null
    if (!accepts(statusBeforeRun(task, manual), 'request_changes'))
      return wrongStatus(task, 'request-changes', 'in review')
    const closed = manual?.id ?? input.runId
    const handOff = { summary: input.reason, metadata: null }
    const by = actorName(actor)
    const move = requestChangesMove(task, { reason: input.reason, reviewer: by, now, runId: closed })
    return accept(taskResult(task, move.patch.status, { runId: closed }), {
      changes: [
        manual
          ? closeRun(manual, 'changes_requested', now, handOff)
          : syntheticRun(
              task,
              { id: closed, attempt: facts.lastAttempt + 1, now, by, outcome: 'changes_requested' },
              handOff,
            ),
        { op: 'update_task', id: task.id, patch: { ...move.patch, currentRunId: null } },
      ],
      events: move.events,
    })
  },
})
