/**
 * The files of the SQLite stores that this process has open: database, log and shared memory. POSIX locks belong to the
 * process. So closing another descriptor of such a file drops the locks of the store.
 */
import { realpathSync, statSync } from 'node:fs'

interface Held {
  readonly paths: readonly string[]
  /** The inode of the database that is open. Later, the path may name another file. */
  readonly database: Inode | undefined
}

type Inode = { readonly dev: number; readonly ino: number }

const TAILS = ['', '-wal', '-shm']

const held = new Set<Held>()

/**
 * Registers the files of a store. Call this function after the store is opened, and the returned function after the
 * store is closed.
 */
export function holdStoreFiles(path: string): () => void {
  const real = realPath(path)
  const one: Held = { paths: TAILS.map((tail) => `${real}${tail}`), database: inodeAt(real) }
  held.add(one)
  return () => void held.delete(one)
}

export const hasOpenStore = (): boolean => held.size > 0

/** Whether a file belongs to an open store, under any name. */
export function isStoreFile(found: Inode): boolean {
  for (const { database, paths } of held)
    if (isSame(found, database) || paths.some((path) => isSame(found, inodeAt(path)))) return true
  return false
}

/** The inode at a path. The inode comes from `stat`, which opens no descriptor. */
const inodeAt = (path: string): Inode | undefined => statSync(path, { throwIfNoEntry: false })

const isSame = (one: Inode, other: Inode | undefined): boolean => one.ino === other?.ino && one.dev === other.dev

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
