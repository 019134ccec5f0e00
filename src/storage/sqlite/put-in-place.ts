/**
 * Moves a database file to its final path. SQLite applies any WAL that it finds beside a database, even the WAL of an
 * earlier file. So the old WAL is moved away first, under the lock.
 */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { inodeOf } from './connection.ts'
import { withStoreLock } from './store-lock.ts'

/**
 * Moves a new store into place. Returns false if another process created the file first. In that case, the file of the
 * other process stays.
 */
export const putInPlace = (prepared: string, path: string): Promise<boolean> =>
  withStoreLock(path, () => {
    if (existsSync(path)) return false
    moveLogAside(path)
    linkSync(prepared, path)
    return true
  })

/**
 * Replaces a file that is no longer a database. `isKept` means that a copy of the old file exists, so the old file is
 * deleted.
 */
export const replaceInPlace = (prepared: string, path: string, isKept: boolean): Promise<void> =>
  withStoreLock(path, () => {
    const aside = `${path}.replaced-${stamp()}`
    if (inodeOf(path) !== null) renameSync(path, aside)
    moveLogAside(path)
    linkSync(prepared, path)
    if (isKept) rmSync(aside, { force: true })
  })

/**
 * Moves the old WAL to another name, because it may have the last commits of a store that a person moved away without
 * its WAL. The `-shm` file is deleted, because SQLite rebuilds it.
 */
function moveLogAside(path: string): void {
  for (const tail of ['-wal', '-journal'])
    if (existsSync(`${path}${tail}`)) renameSync(`${path}${tail}`, `${path}${tail}.left-${stamp()}`)
  rmSync(`${path}-shm`, { force: true })
}

const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, '')
