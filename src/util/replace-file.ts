/** Files that are written whole or not at all, and files that may be missing. */
import { link, rename, rm } from 'node:fs/promises'
import { readFile, writeFile } from './guarded-files.ts'

export interface ReplaceOptions {
  /** Left out, only the owner can read the file. */
  readonly mode?: number
  /** Puts the content on the disk before the file gets its name: for files that are read after a power failure. */
  readonly flush?: boolean
}

/** Writes beside the file and renames: a reader sees the old content or the new one, never half of it. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, flush = false }: ReplaceOptions = {},
): Promise<void> {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, content, { mode, flush })
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

/** Writes a file whole, or returns false if the path exists already. */
export async function createFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, flush = false }: ReplaceOptions = {},
): Promise<boolean> {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, content, { mode, flush })
    // A link fails if the path exists; a rename would replace it.
    await link(unfinished, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(unfinished, { force: true }).catch(() => {})
  }
}

let count = 0

/** Two writers of one file must not share a name: neither two processes nor two calls of one process. */
function unfinishedName(path: string): string {
  count += 1
  return `${path}.${process.pid}-${count}.tmp`
}

/** Null if the file cannot be read. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}
