import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { isTaskId } from '../../../core/ids.ts'
import type { TaskId } from '../../../core/ids.ts'
import { diskUsage, removeEntry, trashedName } from '../../../workspaces/sweep/remove-entry.ts'
import { STAGE } from '../../../workspaces/files/stage-artifacts.ts'
import type { GarbageReport } from '../views.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** However short the retention: a file is named a moment before it is recorded. */
const RECENT_MS = 3_600_000

type Cleared = GarbageReport['attachments'][number]

/** Files without a row, and copies that were never needed: what a crash or a refused completion leaves. */
export async function clearAttachments(round: Round): Promise<Cleared[]> {
  const cleared: Cleared[] = []
  for (const { path } of await findOrphans(round)) {
    const bytes = await diskUsage(path)
    if (!round.apply || (await tryOn(round, path, () => removeEntry(path)))) cleared.push({ path, bytes })
  }
  return cleared
}

type Looking = Pick<Round, 'store' | 'home' | 'boards' | 'left' | 'logsOlderMs'>

export async function findOrphans(round: Looking): Promise<{ board: string; path: string }[]> {
  // Files that come with a completion of a live run are recorded when that run ends.
  const awaited = (await round.store.openRuns(null)).flatMap((run) => run.intent?.files ?? [])
  const pending = new Set(awaited.map(({ storedPath }) => storedPath))
  const found: { board: string; path: string }[] = []
  for (const { slug: board } of round.boards)
    found.push(...(await orphansOf(round, board, pending)).map((path) => ({ board, path })))
  return found
}

async function orphansOf(round: Looking, board: string, pending: ReadonlySet<string>): Promise<string[]> {
  const { folder, entries } = await entriesOf(round, 'boards', board, 'attachments')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const found = names.filter((name) => trashedName(name) !== null).map((name) => join(folder, name))
  if (names.includes(STAGE)) found.push(...(await oldIn(round, ['boards', board, 'attachments', STAGE], () => true)))
  const ids = names.filter(isTaskId)
  const known = new Set<TaskId>(await round.store.everKnown(board, ids))
  const recorded = new Set(await round.store.storedPaths(board, ids))
  for (const id of ids) {
    // Another store may have used this home: what this one never knew is not its to judge.
    if (!known.has(id)) continue
    const isOrphan = (name: string): boolean => !recorded.has(`${id}/${name}`) && !pending.has(`${id}/${name}`)
    found.push(...(await oldIn(round, ['boards', board, 'attachments', id], isOrphan)))
  }
  return found
}

async function oldIn(round: Looking, steps: string[], isGarbage: (name: string) => boolean): Promise<string[]> {
  const { folder, entries } = await entriesOf(round, ...steps)
  const before = Date.now() - Math.max(round.logsOlderMs, RECENT_MS)
  const old: string[] = []
  for (const { name } of entries.filter((entry) => isGarbage(entry.name))) {
    const path = join(folder, name)
    const found = await lstat(path).catch(() => null)
    if (found !== null && found.mtimeMs < before) old.push(path)
  }
  return old
}
