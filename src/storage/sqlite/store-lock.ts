/**
 * A lock that lets only one process at a time create or replace the database file at a path. The lock is that of a
 * small SQLite database beside the file, so it ends with its process. The owner deletes the lock file afterwards. A
 * process that waited for the deleted file tries again.
 */
import { closeSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { BoardError } from '../../core/errors.ts'
import { openSync } from '../../util/guarded-files.ts'
import { monotonicMs } from '../../util/monotonic.ts'
import { inodeOf } from './connection.ts'
import { isBusy } from './errors.ts'

const LOCK_TIMEOUT_MS = 30_000
const RETRY_MS = 10

type Database = InstanceType<typeof DatabaseSync>

export interface LockHooks {
  /** Runs between the opening and the locking of the lock file. Tests use this function to act at that moment. */
  readonly beforeLocking?: () => void
}

export async function withStoreLock<T>(path: string, work: () => T, hooks: LockHooks = {}): Promise<Awaited<T>> {
  const file = `${path}.lock`
  const lock = await takeLock(file, path, hooks)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
    lock.close()
  }
}

async function takeLock(file: string, path: string, hooks: LockHooks): Promise<Database> {
  for (const since = monotonicMs(); monotonicMs() - since < LOCK_TIMEOUT_MS; await sleep(RETRY_MS)) {
    const lock = tryLock(file, hooks)
    if (lock !== null) return lock
  }
  throw new BoardError(
    'store_busy',
    `Another process is creating or replacing the store ${path}. Try again in a moment.`,
  )
}

function tryLock(file: string, { beforeLocking }: LockHooks): Database | null {
  makeFile(file)
  const before = inodeOf(file)
  if (before === null) return null
  const lock = new DatabaseSync(file, { timeout: 0 })
  beforeLocking?.()
  try {
    lock.exec('begin exclusive')
    // The lock counts only if the path still has the same file. The previous owner may have deleted the file, and
    // another process may have locked a new one.
    if (inodeOf(file) === before) return lock
  } catch (error) {
    // If the file is deleted between opening and locking, SQLite fails with various errors.
    if (!isBusy(error) && inodeOf(file) === before) throw error
  }
  lock.close()
  return null
}

/**
 * Creates the lock file, but never opens an existing file. Closing an existing file would drop a lock that this process
 * has on it.
 */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
