import * as z from 'zod'
import { accept, defineVerb } from '../decision.ts'
import { absolutePath, line, taskId, text } from '../input/fields.ts'
import { fenceSchema } from '../run.ts'
import { ownedRun } from './owned-run.ts'

/**
 * Records the worktree that a supervisor created. Every later run of the card works in this worktree, on this branch.
 */
export const noteWorktree = defineVerb({
  name: 'note_worktree',
  input: z.object({
    task: taskId,
    fence: fenceSchema,
    path: absolutePath,
    branch: line,
    /** The card that owns the folder. Null means that this card owns the folder. */
    owner: taskId.nullable().default(null),
    base: line,
    baseBranch: line.nullable(),
    notes: z.array(text).default([]),
  }),
  scope: ({ task }) => ({ tasks: [task] }),
  decide: ({ rows, input }) => {
    const { task: id, fence, ...content } = input
    const { path, branch, owner, base, baseBranch, notes } = content
    const found = ownedRun(rows, { task: id, fence }, { verb: 'note_worktree', content })
    if ('ok' in found) return found
    const { task, run } = found
    const { workspace } = task
    const isKnown = workspace.path === path && workspace.base === base && workspace.owner === owner
    if (isKnown && task.branch === branch) return accept({ runId: run.id })
    return accept(
      { runId: run.id },
      {
        changes: [
          {
            op: 'update_task',
            id: task.id,
            patch: { branch, workspace: { ...workspace, path, owner, base, baseBranch } },
          },
        ],
        events: [
          owner === null
            ? { kind: 'worktree_made', taskId: task.id, runId: run.id, data: { path, branch, base, baseBranch, notes } }
            : { kind: 'worktree_taken_over', taskId: task.id, runId: run.id, data: { path, branch, from: owner } },
        ],
      },
    )
  },
})
