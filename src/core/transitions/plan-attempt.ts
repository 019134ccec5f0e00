/** Records each attempt to plan a card without a person. */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused, ScopeRows } from '../decision.ts'
import type { TaskId } from '../ids.ts'
import { taskId, text } from '../input/fields.ts'
import { NEVER, PLANS_PER_HOUR, PLAN_LEASE_MS, PLAN_WINDOW_MS, isNewIdea, nextPlanAt } from '../planning.ts'
import { isInTriage } from '../status.ts'
import type { Task } from '../task.ts'
import { findTask, isRefused } from './guards.ts'

/**
 * Starts a planning attempt. Refuses it if the card has changed, or if the board has used all its attempts for this
 * hour.
 */
export const beginPlan = defineVerb({
  name: 'begin_plan',
  input: z.object({ task: taskId }),
  scope: ({ task }) => ({ tasks: [task], board: 'write' as const }),
  facts: () => ({ starts: { fact: 'plan_starts' as const, most: PLANS_PER_HOUR } }),
  decide: ({ rows, board, facts, input, now }) => {
    const task = plannable(rows, input.task)
    if (isRefused(task)) return task
    if (!board.settings.autoDecompose || board.archivedAt !== null || !isNewIdea(task) || task.planAfter > now)
      return refuse('claim_lost', `Muster does not plan card ${task.id} now.`, { id: task.id })
    const first = facts.starts[PLANS_PER_HOUR - 1] ?? null
    if (first !== null && first + PLAN_WINDOW_MS > now)
      return refuse('capped', `Board ${board.slug} has used its ${PLANS_PER_HOUR} automatic plans of this hour.`, {
        board: board.slug,
        until: first + PLAN_WINDOW_MS,
      })
    const planAttempts = task.planAttempts + 1
    return accept(
      { attempt: planAttempts },
      {
        changes: [
          {
            op: 'update_task',
            id: task.id,
            patch: { planAttempts, planStartedAt: now, planAfter: now + PLAN_LEASE_MS },
          },
        ],
      },
    )
  },
})

/** Ends a failed planning attempt. If a newer attempt has started, nothing changes. */
export const failPlan = defineVerb({
  name: 'fail_plan',
  input: z.object({ task: taskId, attempt: z.int().min(1), reason: text }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input: { task: id, attempt, reason }, now }) => {
    const task = plannable(rows, id)
    if (isRefused(task)) return task
    if (task.planAttempts !== attempt)
      return refuse('claim_lost', `Another attempt to plan card ${id} has started.`, { id })
    const planAfter = nextPlanAt(attempt, now)
    const retryAt = planAfter === NEVER ? null : planAfter
    return accept(
      { retryAt },
      {
        changes: [{ op: 'update_task', id, patch: { planFailure: reason, planAfter } }],
        events: [{ kind: 'plan_failed', taskId: id, data: { reason, attempt, retryAt } }],
      },
    )
  },
})

function plannable(rows: ScopeRows, id: TaskId): Task | Refused {
  const task = findTask(rows, id)
  if (isRefused(task) || isInTriage(task.status)) return task
  return refuse('wrong_status', `Card ${id} has left triage.`, { id, status: task.status })
}
