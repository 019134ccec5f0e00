/** Copies of a whole store, and the way back. A server has its own tools for both. */
import { BoardError } from '../core/errors.ts'
import { describeLocation } from './location.ts'
import type { StoreLocation } from './location.ts'
import type { BackupContents } from './store.ts'

const notHere = (location: StoreLocation): BoardError =>
  new BoardError(
    'not_supported',
    `${describeLocation(location)} is on a PostgreSQL server: use pg_dump and pg_restore with its schema.`,
  )

/** Where there are no backups, whoever asks for them is told what there is. */
export function requireBackups(location: StoreLocation): void {
  if (location.engine !== 'sqlite') throw notHere(location)
}

/** Writes a sound copy to `target`, which must not exist yet. Blocks while it copies: call it in a process of its own. */
export async function backUpStore(location: StoreLocation, target: string): Promise<void> {
  if (location.engine !== 'sqlite') throw notHere(location)
  const { backUp } = await import('./sqlite/backup.ts')
  await backUp(location.path, target)
}

/** Checks a backup as a whole, and says what it holds. */
export async function inspectBackup(location: StoreLocation, source: string): Promise<BackupContents> {
  if (location.engine !== 'sqlite') throw notHere(location)
  const { inspect } = await import('./sqlite/backup.ts')
  return inspect(source)
}

/** Replaces the content of the store by that of a backup, beside whoever has it open. */
export async function restoreStore(location: StoreLocation, source: string): Promise<void> {
  if (location.engine !== 'sqlite') throw notHere(location)
  const { restore } = await import('./sqlite/backup.ts')
  await restore(location.path, source)
}
