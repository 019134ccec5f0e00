import * as z from 'zod'
import { accept, defineVerb } from '../decision.ts'
import { line, taskId } from '../fields.ts'
import { NOT_BLOCKED, freshCounters } from '../moves.ts'
import { openLane } from '../readiness.ts'
import { gateKeeper, isRefused, taskResult, workspaceSweeping, wrongStatus } from './guards.ts'

/** A finished card, or one in review, is to be worked on again: waivers fall, its children wait again. */
export const reopen = defineVerb({
  name: 'reopen',
  input: z.object({ task: taskId, reason: line.nullable().default(null) }),
  scope: ({ task }) => ({ tasks: [task], graph: true }),
  facts: ({ input: { task } }) => ({
    openParents: { fact: 'unsatisfied_parents' as const, child: task },
    sweeping: { fact: 'sweeping_parent' as const, child: task },
  }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = gateKeeper(rows, input.task, actor)
    if (isRefused(task)) return task
    if (!['done', 'archived', 'review'].includes(task.status))
      return wrongStatus(task, 'reopen', 'done, archived or in review')
    const sweeping = task.workspace.state === 'sweeping' ? task.id : facts.sweeping
    if (sweeping !== null) return workspaceSweeping(sweeping)
    // Clearing waivers may gate the card again, so the lane follows from all unsatisfied parents.
    const status = openLane({ openParents: facts.openParents.length })
    return accept(taskResult(task, status), {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: { ...freshCounters(now), ...NOT_BLOCKED, status, completedAt: null, archivedFrom: null },
        },
        { op: 'clear_waivers', childId: task.id },
      ],
      events: [{ kind: 'reopened', taskId: task.id, data: { from: task.status, status, reason: input.reason } }],
    })
  },
})
