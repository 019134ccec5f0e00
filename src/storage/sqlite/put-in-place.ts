/**
 * Moves a database file to its final path. SQLite applies any WAL that it finds beside a database, even that of an
 * earlier file. So the old WAL is moved aside first, under the lock.
 */
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { inodeOf } from './connection.ts'
import { withStoreLock } from './store-lock.ts'

/** False if another process was faster. Its file stays. */
export const putInPlace = (prepared: string, path: string): Promise<boolean> =>
  withStoreLock(path, () => {
    if (existsSync(path)) return false
    moveLogAside(path)
    linkSync(prepared, path)
    return true
  })

/** Replaces a file that is no longer a database. `isKept`: a copy of its bytes exists. */
export const replaceInPlace = (prepared: string, path: string, isKept: boolean): Promise<void> =>
  withStoreLock(path, () => {
    const aside = `${path}.replaced-${stamp()}`
    if (inodeOf(path) !== null) renameSync(path, aside)
    moveLogAside(path)
    linkSync(prepared, path)
    if (isKept) rmSync(aside, { force: true })
  })

/** The WAL may hold the last commits of a store that was moved away without it. SQLite rebuilds the `-shm` file. */
function moveLogAside(path: string): void {
  for (const tail of ['-wal', '-journal'])
    if (existsSync(`${path}${tail}`)) renameSync(`${path}${tail}`, `${path}${tail}.left-${stamp()}`)
  rmSync(`${path}-shm`, { force: true })
}

const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, '')
