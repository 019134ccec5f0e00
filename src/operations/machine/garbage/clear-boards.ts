import { join } from 'node:path'
import { trashedAt } from '../../../config/trash.ts'
import { DEFAULT_SETTINGS } from '../../../core/board.ts'
import { asideOf, moveAside, remove, weigh } from '../../../workspaces/sweep/clear-away.ts'
import type { GarbageReport } from '../collect-garbage.schema.ts'
import { entriesOf, tryOn } from './round.ts'
import type { Round } from './round.ts'

/** What deleted boards left, once its time in the trash of the home is over. What somebody else put there stays. */
export async function clearBoards(round: Round): Promise<GarbageReport['deletedBoards']> {
  const { folder, entries } = await entriesOf(round, 'trash')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const cleared: GarbageReport['deletedBoards'] = []
  for (const name of names.filter((one) => isDue(round, one))) {
    const path = join(folder, name)
    const bytes = await weigh(path)
    const aside = async (): Promise<string> => (asideOf(name) === null ? moveAside(folder, name) : path)
    if (!round.apply || (await tryOn(round, path, async () => remove(await aside())))) cleared.push({ path, bytes })
  }
  return cleared
}

/** The settings of a board go with it, so its files stay for as long as cards usually do. */
function isDue({ board }: Round, name: string): boolean {
  const trashed = trashedAt(asideOf(name) ?? name)
  if (trashed === null || (board !== null && trashed.name !== board)) return false
  return trashed.at <= Date.now() - DEFAULT_SETTINGS.trashMs
}
