import type { StoredFile } from '../../core/attachment.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { dropFile } from '../../workspaces/files/attachment-files.ts'

/**
 * Deletes files that no card has. The rows are read first, because a commit that reported an error may have succeeded
 * nevertheless. If the rows cannot be read, the files stay until `gc` deletes them.
 */
export async function dropUnrecorded(
  store: Pick<Store, 'storedPaths'>,
  home: string,
  { board, task, files }: { board: string; task: TaskId; files: readonly StoredFile[] },
): Promise<void> {
  try {
    const known = new Set(await store.storedPaths(board, [task]))
    for (const { storedPath } of files) if (!known.has(storedPath)) await dropFile(home, { board, storedPath })
  } catch {
    // The error is ignored, because the caller reports the original error.
  }
}
