/**
 * The files of the SQLite stores that this process has open: database, log and shared memory. POSIX locks belong to the
 * process, so closing any other descriptor of one of them drops the locks of the store.
 */
import { realpathSync, statSync } from 'node:fs'

interface Held {
  readonly paths: readonly string[]
  /** What a connection opened stays its file, whatever its path leads to later. */
  readonly known: Set<string>
}

type Inode = { readonly dev: number; readonly ino: number }

const held = new Set<Held>()

const keyOf = ({ dev, ino }: Inode): string => `${dev}:${ino}`

/** Called when a store is opened; the answer ends it when the store is closed. */
export function holdStoreFiles(path: string): () => void {
  const one: Held = { paths: ['', '-wal', '-shm'].map((tail) => `${realPath(path)}${tail}`), known: new Set() }
  held.add(one)
  look(one)
  return () => void held.delete(one)
}

export const holdsStore = (): boolean => held.size > 0

/** Whether a file is one of theirs, under whatever name it was found. */
export function isStoreFile(found: Inode): boolean {
  for (const one of held) {
    look(one)
    if (one.known.has(keyOf(found))) return true
  }
  return false
}

/** Looking at a path opens nothing. */
function look({ paths, known }: Held): void {
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined) known.add(keyOf(found))
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
