/** Writes files either completely or not at all, and reads files that may be missing. */
import { chmod, link, rename, rm } from 'node:fs/promises'
import { readFile, writeFile } from './guarded-files.ts'

export interface ReplaceOptions {
  /** The mode of the file. By default, only the owner can read the file. */
  readonly mode?: number
  /** Whether the file must get exactly this mode. Otherwise the umask of the process may remove bits. */
  readonly exactMode?: boolean
  /** Whether to sync the content to the disk before the rename, for files that must survive a power failure. */
  readonly flush?: boolean
}

/**
 * Writes a temporary file and renames it. So a reader sees either the old content or the new content, never a part of
 * the new content.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, exactMode = false, flush = false }: ReplaceOptions = {},
): Promise<void> {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, content, { mode, flush })
    if (exactMode) await chmod(unfinished, mode)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {})
    throw error
  }
}

/** Creates a file with its whole content. Returns false if the path already exists. */
export async function createFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, flush = false }: Omit<ReplaceOptions, 'exactMode'> = {},
): Promise<boolean> {
  const unfinished = unfinishedName(path)
  try {
    await writeFile(unfinished, content, { mode, flush })
    // `link` fails if the path exists, but a rename would replace the file.
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

/**
 * A temporary name. Each call gets another name, because two processes, or two calls of one process, may write the same
 * file.
 */
function unfinishedName(path: string): string {
  count += 1
  return `${path}.${process.pid}-${count}.tmp`
}

/** Reads a file. Returns null if the file cannot be read for any reason. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

/** Waits for a read. Returns null if the file or folder does not exist. Throws any other error. */
export async function nullIfMissing<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
