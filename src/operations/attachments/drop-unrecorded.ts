import type { PlacedFile } from '../../core/attachment.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { dropFile } from '../../workspaces/files/attachment-files.ts'

/**
 * Removes files whose row was refused. A commit that was cut off may have happened all the same, so the rows are asked
 * first; if they cannot be, the files stay, and `gc` finds those that nobody knows.
 */
export async function dropUnrecorded(
  store: Pick<Store, 'storedPaths'>,
  home: string,
  { board, task, files }: { board: string; task: TaskId; files: readonly PlacedFile[] },
): Promise<void> {
  try {
    const known = new Set(await store.storedPaths(board, [task]))
    for (const { storedPath } of files) if (!known.has(storedPath)) await dropFile(home, { board, storedPath })
  } catch {
    // The fault that led here is the one to tell of.
  }
}
