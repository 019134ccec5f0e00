import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunId } from '../../../core/ids.ts'
import type { RunId } from '../../../core/ids.ts'
import { diskUsage, moveAside, removeEntry, trashedName } from '../../../workspaces/sweep/remove-entry.ts'
import type { GarbageReport } from '../views.ts'
import { entriesInHome, keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'

/**
 * Deletes the files and logs of runs that ended long ago. The files of an unknown run stay, because the run may belong
 * to another store.
 */
export async function clearRuns(gc: GcContext): Promise<GarbageReport['runDirectories']> {
  const { store, board, now, logsOlderMs, apply, left } = gc
  const { folder, entries } = await entriesInHome(gc, 'runs')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const ids = names.filter(isRunId)
  const known = await store.runEnds(ids)
  const cleared: GarbageReport['runDirectories'] = []
  for (const name of names.filter((one) => trashedName(one) !== null)) await clear(name, () => Promise.resolve(name))
  for (const id of ids) {
    const run = known.get(id)
    if (run === undefined) await reportUnknown(id)
    else if (run.endedAt !== null && run.endedAt <= now - logsOlderMs && (board === null || run.board === board))
      await clear(id, async () => (await moveAside(folder, id)).slice(folder.length + 1))
  }
  return cleared

  async function clear(name: string, aside: () => Promise<string>): Promise<void> {
    const path = join(folder, name)
    const bytes = await diskUsage(path)
    const done = !apply || (await keepOnFailure(gc, path, async () => removeEntry(join(folder, await aside()))))
    if (done) cleared.push({ path, bytes })
  }

  async function reportUnknown(id: RunId): Promise<void> {
    const path = join(folder, id)
    const found = await lstat(path).catch(() => null)
    if (found !== null && found.mtimeMs <= Date.now() - logsOlderMs)
      left.push({ path, reason: 'This store has no such run. Delete the folder if no other store uses it.' })
  }
}
