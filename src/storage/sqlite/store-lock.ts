/**
 * A lock that lets only one process at a time create or replace the database file at a path. It is the lock of a small
 * SQLite database beside the file, so it ends with its process. The lock file is removed afterwards; a process that
 * waited for the removed file tries again.
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

export async function withStoreLock<T>(path: string, work: () => T): Promise<Awaited<T>> {
  const file = `${path}.lock`
  const lock = await takeLock(file, path)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
    lock.close()
  }
}

async function takeLock(file: string, path: string): Promise<Database> {
  for (const since = monotonicMs(); monotonicMs() - since < LOCK_TIMEOUT_MS; await sleep(RETRY_MS)) {
    const lock = tryLock(file)
    if (lock !== null) return lock
  }
  throw new BoardError(
    'store_busy',
    `Another process is creating or replacing the store ${path}. Try again in a moment.`,
  )
}

function tryLock(file: string): Database | null {
  makeFile(file)
  const before = inodeOf(file)
  if (before === null) return null
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    // The previous owner may have removed this file, and another process may hold a new one.
    if (inodeOf(file) === before) return lock
  } catch (error) {
    // SQLite also fails, with various errors, if the file is removed between opening and locking it.
    if (!isBusy(error) && inodeOf(file) === before) throw error
  }
  lock.close()
  return null
}

/** Opens only a new file: closing an existing file would drop a lock that this process holds on it. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
