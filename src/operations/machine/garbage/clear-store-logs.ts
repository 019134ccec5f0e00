import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parseLocation } from '../../../storage/location.ts'
import { removeEntry } from '../../../workspaces/sweep/remove-entry.ts'
import type { GarbageReport } from '../views.ts'
import { keepOnFailure } from './gc-context.ts'
import type { GcContext } from './gc-context.ts'

type Cleared = GarbageReport['storeLogs'][number]

/**
 * Matches the name of an old log. The name ends with the time at which the log was moved:
 * `muster.db-wal.left-20260102T030405678Z`.
 */
const LEFT = /^-(?:wal|journal)\.left-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/

/** Deletes the logs of earlier stores. Such a log was moved away when a new or restored store replaced the store. */
export async function clearStoreLogs(gc: GcContext, store: string): Promise<Cleared[]> {
  const location = parseLocation(store)
  if (location.engine !== 'sqlite' || gc.board !== null) return []
  const database = await realpath(location.path).catch(() => location.path)
  const cleared: Cleared[] = []
  for (const name of await readdir(dirname(database)).catch(() => [])) {
    const at = leftAt(basename(database), name)
    if (at === null || at > Date.now() - gc.logsOlderMs) continue
    const path = join(dirname(database), name)
    const { size: bytes } = await lstat(path)
    if (!gc.apply || (await keepOnFailure(gc, path, () => removeEntry(path)))) cleared.push({ path, bytes })
  }
  return cleared
}

function leftAt(database: string, name: string): number | null {
  const found = name.startsWith(database) ? LEFT.exec(name.slice(database.length)) : null
  if (found === null) return null
  const [, year, month, day, hour, minute, second, ms] = found
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}
