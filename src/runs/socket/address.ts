/** Where the socket of a run lies. */
import { chmod, lstat, mkdir, rmdir, unlink } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** A socket's path has 104 bytes on macOS and 108 on Linux, its end included. */
const PATH_BYTES = 100
const FOLDER = 'muster-run-'

const fits = (path: string): boolean => Buffer.byteLength(path) <= PATH_BYTES

/**
 * In the run's own directory, or under a name nobody can guess in a temporary one where that is too deep. Only a name:
 * nothing is made before the run is known to be ours.
 */
export function chooseSocketPath(directory: { readonly path: string }, temporary: string = tmpdir()): string {
  const own = join(directory.path, 's')
  if (fits(own)) return own
  const elsewhere = (folder: string): string => join(folder, `${FOLDER}${randomBytes(9).toString('hex')}`, 's')
  return [elsewhere(temporary), elsewhere('/tmp')].find(fits) ?? own
}

const isTemporary = (path: string): boolean => basename(dirname(path)).startsWith(FOLDER)

/** Not recursive: a folder that is there already is somebody else's. */
export async function makeSocketFolder(path: string): Promise<void> {
  if (isTemporary(path)) await mkdir(dirname(path), { mode: 0o700 })
}

/** Whoever can enter the folder could not connect before this either: it is its owner's alone. */
export const closeToOthers = (path: string): Promise<void> => chmod(path, 0o600)

/** Removes a socket that nobody serves any more, and the folder that was made for it. Never anything else. */
export async function removeSocket(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isSocket()) await unlink(path)
  } catch {
    // It is gone already.
  }
  if (isTemporary(path)) await rmdir(dirname(path)).catch(() => {})
}
