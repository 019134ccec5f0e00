/** Finds or makes the workspace folder of a card for its run. */
import { enterDirectory } from '../../workspaces/directory.ts'
import { scratchPath } from '../../workspaces/workspace.ts'
import { makeCardFolder } from '../../workspaces/workspaces-root.ts'
import type { SupervisedRun } from '../supervised-run.ts'

export interface Entered {
  readonly path: string
  /** The branch of a worktree. This is null for every other kind of workspace. */
  readonly branch: string | null
}

/** Returns the workspace folder. Rejects with an error that explains why the folder cannot be used. */
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
