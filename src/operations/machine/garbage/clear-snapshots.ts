import { join } from 'node:path'
import { isTaskId } from '../../../core/ids.ts'
import { isArchived } from '../../../core/status.ts'
import { diskUsage, removeEntry } from '../../../workspaces/sweep/remove-entry.ts'
import { archivesOf, clearUnfinished } from '../../../workspaces/files/snapshots.ts'
import type { GarbageReport } from '../views.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** A snapshot takes ten minutes at most, so an older unfinished one was cut off. */
const CUT_OFF_MS = 3_600_000

/**
 * Archives of workspaces that are very old. The newest of a card stays until the card is archived: it may be all that is
 * left of the work. What lies in a repository of somebody's is theirs.
 */
export async function clearSnapshots(round: Round): Promise<GarbageReport['snapshots']> {
  const cleared: GarbageReport['snapshots'] = []
  for (const { slug } of round.boards) {
    const { entries } = await entriesOf(round, 'boards', slug, 'snapshots')
    const ids = entries.filter((entry) => entry.isDirectory() && isTaskId(entry.name)).map(({ name }) => name)
    for (const task of await round.store.tasksById(ids.filter(isTaskId)))
      if (task.board === slug) cleared.push(...(await clearCard(round, task)))
  }
  return cleared
}

async function clearCard(
  round: Round,
  { board, id, status, workspace }: Awaited<ReturnType<Round['store']['tasksById']>>[number],
): Promise<GarbageReport['snapshots']> {
  const { home, snapshotsOlderMs, apply } = round
  // They are of this machine, and so is the time that stands on them.
  const before = Date.now() - snapshotsOlderMs
  const cleared: GarbageReport['snapshots'] = []
  const folder = join(home, 'boards', board, 'snapshots', id)
  await tryOn(round, folder, async () => {
    // While a card is being swept, its unfinished snapshot is in progress.
    if (apply && workspace.state !== 'sweeping')
      await clearUnfinished({ home, board, task: id }, { before: Date.now() - CUT_OFF_MS })
    for (const { path, described, takenAt, isNewest } of await archivesOf({ home, board, task: id })) {
      if (takenAt > before || (isNewest && !isArchived(status))) continue
      const bytes = await diskUsage(path)
      // Cut off between the two, the next round finds the description and ends it.
      if (apply) for (const file of [path, described]) await removeEntry(file)
      cleared.push({ path, bytes })
    }
  })
  return cleared
}
