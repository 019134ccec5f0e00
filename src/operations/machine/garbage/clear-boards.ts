import { join } from 'node:path'
import { trashedAt } from '../../../config/trash.ts'
import { DEFAULT_SETTINGS } from '../../../core/board.ts'
import { diskUsage, moveAside, removeEntry, trashedName } from '../../../workspaces/sweep/remove-entry.ts'
import type { GarbageReport } from '../views.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** What deleted boards left, once its time in the trash of the home is over. What somebody else put there stays. */
export async function clearBoards(round: Round): Promise<GarbageReport['deletedBoards']> {
  const { folder, entries } = await entriesOf(round, 'trash')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const cleared: GarbageReport['deletedBoards'] = []
  for (const name of names.filter((one) => isDue(round, one))) {
    const path = join(folder, name)
    const bytes = await diskUsage(path)
    const aside = async (): Promise<string> => (trashedName(name) === null ? moveAside(folder, name) : path)
    if (!round.apply || (await tryOn(round, path, async () => removeEntry(await aside()))))
      cleared.push({ path, bytes })
  }
  return cleared
}

/** The settings of a board go with it, so its files stay for as long as cards usually do. */
function isDue({ board }: Round, name: string): boolean {
  const trashed = trashedAt(trashedName(name) ?? name)
  if (trashed === null || (board !== null && trashed.name !== board)) return false
  return trashed.at <= Date.now() - DEFAULT_SETTINGS.trashMs
}
