import { join } from 'node:path'
import { trashedAt } from '../../../config/trash.ts'
import { DEFAULT_SETTINGS } from '../../../core/board.ts'
import { diskUsage, moveAside, removeEntry, trashedName } from '../../../workspaces/sweep/remove-entry.ts'
import type { GarbageReport } from '../views.ts'
import { entriesInHome, keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'

/** Deletes the files of deleted boards that were in the trash long enough. Other files in the trash stay. */
export async function clearBoards(gc: GcContext): Promise<GarbageReport['deletedBoards']> {
  const { folder, entries } = await entriesInHome(gc, 'trash')
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const cleared: GarbageReport['deletedBoards'] = []
  for (const name of names.filter((one) => isDue(gc, one))) {
    const path = join(folder, name)
    const bytes = await diskUsage(path)
    const aside = async (): Promise<string> => (trashedName(name) === null ? moveAside(folder, name) : path)
    if (!gc.apply || (await keepOnFailure(gc, path, async () => removeEntry(await aside()))))
      cleared.push({ path, bytes })
  }
  return cleared
}

/**
 * Whether the time in the trash is over. The default time applies, because the settings of a deleted board are gone.
 */
function isDue({ board }: GcContext, name: string): boolean {
  const trashed = trashedAt(trashedName(name) ?? name)
  if (trashed === null || (board !== null && trashed.name !== board)) return false
  return trashed.at <= Date.now() - DEFAULT_SETTINGS.trashMs
}
