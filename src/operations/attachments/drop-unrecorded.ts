import type { StoredFile } from '../../core/attachment.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Store } from '../../storage/store.ts'
import { dropFile } from '../../workspaces/files/attachment-files.ts'

/**
 * Deletes files that have no row. It reads the rows first, because a commit that reported an error may have succeeded.
 * If the rows cannot be read, the files stay until `gc` deletes those without a row.
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
    // The caller reports the original error.
  }
}
