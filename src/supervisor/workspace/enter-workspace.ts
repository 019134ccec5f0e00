/** Finds or makes the workspace folder of a run's card. */
import { enterDirectory } from '../../workspaces/directory.ts'
import { scratchPath } from '../../workspaces/workspace.ts'
import { makeCardFolder } from '../../workspaces/workspaces-root.ts'
import type { SupervisedRun } from '../supervised-run.ts'

export interface Entered {
  readonly path: string
  /** The branch of a worktree; null for every other kind. */
  readonly branch: string | null
}

/** Rejects with an error that explains the problem with the folder. */
export async function enterWorkspace(owned: SupervisedRun, signal: AbortSignal): Promise<Entered> {
  const { task, ticket } = owned
  const { home, board } = ticket
  switch (task.workspace.kind) {
    case 'scratch': {
      const place = { home, board, task: task.id }
      await makeCardFolder(place)
      return { path: scratchPath(place), branch: null }
    }
    case 'dir':
      return { path: await enterDirectory(task.workspace.path), branch: null }
    case 'worktree': {
      const { enterWorktree } = await import('./enter-worktree.ts')
      return enterWorktree(owned, signal)
    }
  }
}
