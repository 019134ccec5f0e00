/** Where a card's files are. One folder per card, shared by its retries and its review. */
import { BoardError } from '../core/errors.ts'
import type { TaskId } from '../core/ids.ts'
import type { Workspace } from '../core/task.ts'
import { scratchPath } from './scratch.ts'
import { makeCardFolder } from './workspaces-root.ts'

export interface Place {
  readonly home: string
  readonly board: string
  readonly task: TaskId
}

/** The folder a card works in; null when this build cannot make such a one. */
export const workspacePath = (workspace: Workspace, place: Place): string | null =>
  workspace.kind === 'scratch' ? scratchPath(place) : null

/** Makes sure that the folder is there, and returns it. */
export async function prepareWorkspace(workspace: Workspace, place: Place): Promise<string> {
  const path = workspacePath(workspace, place)
  if (path === null)
    throw new BoardError('not_supported', `Workspaces of kind ${workspace.kind} cannot be made yet: use scratch.`)
  await makeCardFolder(place)
  return path
}
