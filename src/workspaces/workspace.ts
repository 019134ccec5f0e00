/** Where a card's files are. One folder per card, shared by its retries and its review. */
import type { TaskId } from '../core/ids.ts'
import type { Workspace } from '../core/task.ts'
import { scratchPath } from './scratch.ts'

export interface Place {
  readonly home: string
  readonly board: string
  readonly task: TaskId
}

/**
 * The folder a card works in: its own folder, that of an earlier card on the same branch, or the directory that it names.
 * Null when it names none.
 */
export const workspacePath = (workspace: Workspace, place: Place): string | null =>
  workspace.kind === 'dir' ? workspace.path : scratchPath({ ...place, task: workspace.owner ?? place.task })
