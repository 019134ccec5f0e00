import { join } from 'node:path'
import { isTaskId } from '../../../core/ids.ts'
import { isArchived } from '../../../core/status.ts'
import { diskUsage, removeEntry } from '../../../workspaces/sweep/remove-entry.ts'
import { archivesOf, clearUnfinished } from '../../../workspaces/files/snapshots.ts'
import type { GarbageReport } from '../views.ts'
import { entriesInHome, keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'

/** The age at which an unfinished snapshot counts as interrupted. Making a snapshot takes at most ten minutes. */
const INTERRUPTED_MS = 3_600_000

/**
 * Deletes very old snapshots. The newest snapshot of a card stays until the card is archived, because it may be the
 * only copy of the work. Snapshots in a user's repository are never deleted.
 */
export async function clearSnapshots(gc: GcContext): Promise<GarbageReport['snapshots']> {
  const cleared: GarbageReport['snapshots'] = []
  for (const { slug } of gc.boards) {
    const { entries } = await entriesInHome(gc, 'boards', slug, 'snapshots')
    const ids = entries.filter((entry) => entry.isDirectory() && isTaskId(entry.name)).map(({ name }) => name)
    for (const task of await gc.store.tasksById(ids.filter(isTaskId)))
      if (task.board === slug) cleared.push(...(await clearCard(gc, task)))
  }
  return cleared
}

async function clearCard(
  gc: GcContext,
  { board, id, status, workspace }: Awaited<ReturnType<GcContext['store']['tasksById']>>[number],
): Promise<GarbageReport['snapshots']> {
  const { home, snapshotsOlderMs, apply } = gc
  // The times of snapshots come from the clock of this machine, not of the store.
  const before = Date.now() - snapshotsOlderMs
  const cleared: GarbageReport['snapshots'] = []
  const folder = join(home, 'boards', board, 'snapshots', id)
  await keepOnFailure(gc, folder, async () => {
    // An unfinished snapshot is still in progress if the workspace of the card is being removed.
    if (apply && workspace.state !== 'sweeping')
      await clearUnfinished({ home, board, task: id }, { before: Date.now() - INTERRUPTED_MS })
    for (const { path, described, takenAt, isNewest } of await archivesOf({ home, board, task: id })) {
      if (takenAt > before || (isNewest && !isArchived(status))) continue
      const bytes = await diskUsage(path)
      // If the process dies between the two deletions, the next clean-up deletes the description.
      if (apply) for (const file of [path, described]) await removeEntry(file)
      cleared.push({ path, bytes })
    }
  })
  return cleared
}
