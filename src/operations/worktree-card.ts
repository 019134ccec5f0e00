/** Finds the repository, branch and folder of a worktree card. */
import { BoardError } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Store, TaskView } from '../storage/store.ts'
import { WorkspaceFault, faultReason } from '../workspaces/workspace-fault.ts'
import { scratchPath } from '../workspaces/scratch.ts'
import { cardNow } from './act-on-card.ts'
import { resolveTask } from './resolve-task.ts'

export interface WorktreeCard {
  readonly task: TaskView
  readonly repo: string
  readonly branch: string
  readonly path: string
}

export async function worktreeCard(store: Store, home: string, typed: string): Promise<WorktreeCard> {
  const task = await cardNow(store, await resolveTask(store, typed))
  const { kind, repo } = task.workspace
  if (kind !== 'worktree' || repo === null)
    throw new BoardError(
      'wrong_status',
      `Card ${task.id} has no worktree. Cards created with --workspace worktree have one.`,
    )
  if (task.branch === null || task.workspace.base === null)
    throw new BoardError('wrong_status', `Card ${task.id} has no work yet: it has not run.`)
  return {
    task,
    repo,
    branch: task.branch,
    path: scratchPath({ home, board: task.board, task: task.workspace.owner ?? task.id }),
  }
}

type RefusalCode = Extract<ErrorCode, 'land_refused' | 'diff_refused' | 'checkout_refused'>

/** Turns faults of the repository into refusals with the command's error code. */
export async function reportingFaults<T>(code: RefusalCode, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    throw new BoardError(code, `${faultReason(error)}.`, { cause: error })
  }
}
