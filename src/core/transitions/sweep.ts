/**
 * Removing the folder of a card that is out of use. live → sweeping → gone: while it is `sweeping` nobody starts,
 * reopens or waits for the card, so the folder can be taken away under nobody. A crash leaves it there, and the next
 * sweep goes on.
 */
import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Decision } from '../decision.ts'
import { taskId } from '../fields.ts'
import type { TaskId } from '../ids.ts'
import type { Workspace } from '../task.ts'
import { findTask, isRefused, wrongStatus } from './guards.ts'

interface Swept {
  readonly id: TaskId
  readonly state: Workspace['state']
}

export const sweep = defineVerb({
  name: 'sweep',
  input: z.object({ task: taskId, stage: z.enum(['begin', 'end']) }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { task } }) => ({ waiting: { fact: 'unfinished_child' as const, parent: task } }),
  decide: ({ rows, facts, input, actor }): Decision<Swept> => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    const { id, workspace } = task
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not remove workspaces.', { id })
    const to = (state: 'sweeping' | 'gone') =>
      accept({ id, state }, { changes: [{ op: 'update_task', id, patch: { workspace: { ...workspace, state } } }] })
    if (input.stage === 'end')
      return workspace.state === 'sweeping' ? to('gone') : accept({ id, state: workspace.state })
    if (workspace.kind !== 'scratch' || workspace.state === 'kept')
      return refuse('not_allowed', `The workspace of ${id} is not the board's to remove.`, { id })
    if (workspace.state === 'sweeping') return accept({ id, state: workspace.state })
    if (task.status !== 'archived') return wrongStatus(task, 'sweep', 'archived')
    if (facts.waiting !== null)
      return refuse('wrong_status', `Card ${facts.waiting} may still need the files of ${id}.`, {
        id,
        child: facts.waiting,
      })
    return to('sweeping')
  },
})
