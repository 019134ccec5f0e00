import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunId } from '../../../core/ids.ts'
import type { RunId } from '../../../core/ids.ts'
import { diskUsage, moveAside, removeEntry, trashedName } from '../../../workspaces/sweep/remove-entry.ts'
import type { GarbageReport } from '../views.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** Files of runs that ended long ago: their logs with them. A run that this store does not know may be another's. */
export async function clearRuns(round: Round): Promise<GarbageReport['runDirectories']> {
  const { store, board, now, logsOlderMs, apply, left } = round
  const { folder, entries } = await entriesOf(round, 'runs')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const ids = names.filter(isRunId)
  const known = await store.runEnds(ids)
  const cleared: GarbageReport['runDirectories'] = []
  for (const name of names.filter((one) => trashedName(one) !== null)) await clear(name, () => Promise.resolve(name))
  for (const id of ids) {
    const run = known.get(id)
    if (run === undefined) await tellStranger(id)
    else if (run.endedAt !== null && run.endedAt <= now - logsOlderMs && (board === null || run.board === board))
      await clear(id, async () => (await moveAside(folder, id)).slice(folder.length + 1))
  }
  return cleared

  async function clear(name: string, aside: () => Promise<string>): Promise<void> {
    const path = join(folder, name)
    const bytes = await diskUsage(path)
    const done = !apply || (await tryOn(round, path, async () => removeEntry(join(folder, await aside()))))
    if (done) cleared.push({ path, bytes })
  }

  async function tellStranger(id: RunId): Promise<void> {
    const path = join(folder, id)
    const found = await lstat(path).catch(() => null)
    if (found !== null && found.mtimeMs <= Date.now() - logsOlderMs)
      left.push({ path, reason: 'This store knows no such run: remove it if no other store does.' })
  }
}
