import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { isTaskId } from '../../../core/ids.ts'
import type { TaskId } from '../../../core/ids.ts'
import { diskUsage, removeEntry, trashedName } from '../../../workspaces/sweep/remove-entry.ts'
import { STAGE } from '../../../workspaces/files/stage-artifacts.ts'
import type { GarbageReport } from '../views.ts'
import { entriesInHome, keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'

/**
 * The minimum age of a file without a row before the file is deleted. A newer file may be in use, because files are
 * written before their rows.
 */
const RECENT_MS = 3_600_000

type Cleared = GarbageReport['attachments'][number]

/** Deletes files that belong to no card, and unused copies. A crash or a refused completion leaves such files. */
export async function clearAttachments(gc: GcContext): Promise<Cleared[]> {
  const cleared: Cleared[] = []
  for (const { path } of await findOrphans(gc)) {
    const bytes = await diskUsage(path)
    if (!gc.apply || (await keepOnFailure(gc, path, () => removeEntry(path)))) cleared.push({ path, bytes })
  }
  return cleared
}

type OrphanSearch = Pick<GcContext, 'store' | 'home' | 'boards' | 'left' | 'logsOlderMs'>

export async function findOrphans(gc: OrphanSearch): Promise<{ board: string; path: string }[]> {
  // A completion that waits for the end of a run has files without rows. The rows are written when the run ends.
  const awaited = (await gc.store.openRuns(null)).flatMap((run) => run.intent?.files ?? [])
  const pending = new Set(awaited.map(({ storedPath }) => storedPath))
  const found: { board: string; path: string }[] = []
  for (const { slug: board } of gc.boards)
    found.push(...(await orphansOf(gc, board, pending)).map((path) => ({ board, path })))
  return found
}

async function orphansOf(gc: OrphanSearch, board: string, pending: ReadonlySet<string>): Promise<string[]> {
  const { folder, entries } = await entriesInHome(gc, 'boards', board, 'attachments')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const found = names.filter((name) => trashedName(name) !== null).map((name) => join(folder, name))
  if (names.includes(STAGE)) found.push(...(await oldIn(gc, ['boards', board, 'attachments', STAGE], () => true)))
  const ids = names.filter(isTaskId)
  const known = new Set<TaskId>(await gc.store.everKnown(board, ids))
  const recorded = new Set(await gc.store.storedPaths(board, ids))
  for (const id of ids) {
    // Files of unknown cards are kept, because another store may have used this data folder.
    if (!known.has(id)) continue
    const isOrphan = (name: string): boolean => !recorded.has(`${id}/${name}`) && !pending.has(`${id}/${name}`)
    found.push(...(await oldIn(gc, ['boards', board, 'attachments', id], isOrphan)))
  }
  return found
}

async function oldIn(gc: OrphanSearch, steps: string[], isGarbage: (name: string) => boolean): Promise<string[]> {
  const { folder, entries } = await entriesInHome(gc, ...steps)
  const before = Date.now() - Math.max(gc.logsOlderMs, RECENT_MS)
  const old: string[] = []
  for (const { name } of entries.filter((entry) => isGarbage(entry.name))) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    if (found !== null && found.mtimeMs < before) old.push(path)
  }
  return old
}
