/** The place of a card's files. Each card has one folder, which its retries and its review share. */
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import type { TaskId } from '../core/ids.ts'
import type { Workspace } from '../core/task.ts'

export interface CardLocation {
  readonly home: string
  readonly board: string
  readonly task: TaskId
}

/** The card's own folder. Ids contain no separators, so the path is always inside the root. */
export const scratchPath = ({ home, board, task }: CardLocation): string => join(inHome.workspaces(home, board), task)

/**
 * The folder in which a card works: its own folder, the folder of an earlier card on the same branch, or the directory
 * that the card names. Null means that a `dir` card names no directory.
 */
export const workspacePath = (workspace: Workspace, place: CardLocation): string | null =>
  workspace.kind === 'dir' ? workspace.path : scratchPath({ ...place, task: workspace.owner ?? place.task })
