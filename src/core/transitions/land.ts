import * as z from 'zod'
import { opensGates } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, taskId } from '../fields.ts'
import { findTask, isRefused } from './guards.ts'

/** Records that the work of a worktree card is on a branch of its repository, after git has put it there. */
export const land = defineVerb({
  name: 'land',
  input: z.object({
    task: taskId,
    commit: line,
    /** The commit of the card's branch whose content landed. */
    tip: line,
    into: line,
    strategy: z.enum(['squash', 'merge', 'rebase']),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input, actor, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (!opensGates(actor))
      return refuse('not_allowed', `Only a person or an orchestrator may land ${task.id}.`, { id: task.id })
    const { commit, tip, into, strategy } = input
    const landed = { commit, tip, into, at: now }
    // A retry after a crash reports the same commit again.
    if (task.landed?.commit === commit && task.landed.tip === tip) return accept({ id: task.id, landed: task.landed })
    return accept(
      { id: task.id, landed },
      {
        changes: [{ op: 'update_task', id: task.id, patch: { landed } }],
        events: [{ kind: 'landed', taskId: task.id, runId: null, data: { commit, tip, into, strategy } }],
      },
    )
  },
})
