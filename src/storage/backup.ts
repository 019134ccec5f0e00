/** Backup and restore of a whole store. A PostgreSQL server has its own tools for both. */
import { BoardError } from '../core/errors.ts'
import { describeLocation } from './location.ts'
import type { StoreLocation } from './location.ts'
import type { BackupContents } from './store.ts'

const notSupported = (location: StoreLocation): BoardError =>
  new BoardError(
    'not_supported',
    `${describeLocation(location)} is on a PostgreSQL server: use pg_dump and pg_restore with its schema.`,
  )

/** Throws an error if the store is on a server. The error names the server's own backup tools. */
export function requireBackups(location: StoreLocation): void {
  if (location.engine !== 'sqlite') throw notSupported(location)
}

/**
 * Writes a checked copy to `target`, which must not exist. The copying blocks the event loop, so call this function in
 * a child process.
 */
export async function backUpStore(location: StoreLocation, target: string): Promise<void> {
  if (location.engine !== 'sqlite') throw notSupported(location)
  const { backUp } = await import('./sqlite/backup.ts')
  await backUp(location.path, target)
}

/** Checks a whole backup and returns a summary of its content. */
export async function inspectBackup(location: StoreLocation, source: string): Promise<BackupContents> {
  if (location.engine !== 'sqlite') throw notSupported(location)
  const { inspect } = await import('./sqlite/backup.ts')
  return inspect(source)
}

/** Replaces the content of the store with the content of a backup. Other processes may have the store open. */
export async function restoreStore(location: StoreLocation, source: string): Promise<void> {
  if (location.engine !== 'sqlite') throw notSupported(location)
  const { restoreDatabase } = await import('./sqlite/backup.ts')
  await restoreDatabase(location.path, source)
}
