/** The path of a run's socket. */
import { chmod, lstat, mkdir, rmdir, unlink } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The path of a socket may have 104 bytes on macOS and 108 on Linux, with its terminator. */
const PATH_BYTES = 100
const FOLDER = 'muster-run-'

const fits = (path: string): boolean => Buffer.byteLength(path) <= PATH_BYTES

/**
 * In the run directory; if that path is too long, in a temporary folder with a random name. Creates nothing: the run is not
 * guarded yet.
 */
export function chooseSocketPath(directory: { readonly path: string }, temporary: string = tmpdir()): string {
  const own = join(directory.path, 's')
  if (fits(own)) return own
  const elsewhere = (folder: string): string => join(folder, `${FOLDER}${randomBytes(9).toString('hex')}`, 's')
  return [elsewhere(temporary), elsewhere('/tmp')].find(fits) ?? own
}

const isTemporary = (path: string): boolean => basename(dirname(path)).startsWith(FOLDER)

/** Not recursive: an existing folder belongs to another process. */
export async function makeSocketFolder(path: string): Promise<void> {
  if (isTemporary(path)) await mkdir(dirname(path), { mode: 0o700 })
}

/** The folder is private already, so no other user could connect before. */
export const closeToOthers = (path: string): Promise<void> => chmod(path, 0o600)

/** Removes a socket that is no longer served, and the temporary folder made for it. */
export async function removeSocket(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isSocket()) await unlink(path)
  } catch {
    // It is gone already.
  }
  if (isTemporary(path)) await rmdir(dirname(path)).catch(() => {})
}
