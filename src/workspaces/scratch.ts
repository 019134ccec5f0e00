/** A folder of the board's own, made for one card. Ids hold no separators, so the path cannot leave its root. */
import { join } from 'node:path'
import { inHome } from '../config/home.ts'
import type { TaskId } from '../core/ids.ts'

export const scratchPath = ({ home, board, task }: { home: string; board: string; task: TaskId }): string =>
  join(inHome.workspaces(home, board), task)
