import * as z from 'zod'
import { opensGates } from '../actor.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, taskId } from '../input/fields.ts'
import { findTask, isRefused } from './guards.ts'

/**
 * Records that the work of a worktree card has landed on another branch. The caller has already changed the branch with
 * git.
 */
export const land = defineVerb({
  name: 'land',
  input: z.object({
    task: taskId,
    commit: line,
    /** The commit of the card's branch whose work landed. */
    tip: line,
    into: line,
    strategy: z.enum(['squash', 'merge', 'rebase']),
    /**
     * The card that owns the worktree, if this card works in the worktree of another card. In that case, the work of
     * both cards has landed.
     */
    owner: taskId.nullable().default(null),
  }),
  scope: ({ task, owner }) => ({ tasks: owner === null ? [task] : [task, owner] }),
  decide: ({ rows, input, actor, now }) => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (!opensGates(actor))
      return refuse('not_allowed', `Only a person or an orchestrator may land ${task.id}.`, { id: task.id })
    const { commit, tip, into, strategy } = input
    const landed = { commit, tip, into, at: now }
    const owner = input.owner === task.workspace.owner ? rows.tasks.get(input.owner ?? task.id) : undefined
    const shared = owner === undefined || owner.id === task.id ? [task] : [task, owner]
    // A retry after a crash reports the same commit again. A card that already has this commit does not change.
    const landing = shared.filter((card) => card.landed?.commit !== commit || card.landed.tip !== tip)
    return accept(
      { id: task.id, landed: landing.includes(task) ? landed : task.landed },
      {
        changes: landing.map(({ id }) => ({ op: 'update_task', id, patch: { landed } })),
        events: landing.map(({ id }) => ({
          kind: 'landed',
          taskId: id,
          runId: null,
          data: { commit, tip, into, strategy },
        })),
      },
    )
  },
})
