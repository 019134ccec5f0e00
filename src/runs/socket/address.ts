/** Chooses the path of a run's socket and protects it. */
import { chmod, lstat, mkdir, rmdir, unlink } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The maximum length of a socket path. macOS allows 104 bytes and Linux 108, including the final NUL. */
const PATH_BYTES = 100
const FOLDER = 'muster-run-'

const fits = (path: string): boolean => Buffer.byteLength(path) <= PATH_BYTES

/**
 * Returns a path in the run directory. If this path is too long, returns a path with a random name in a temporary
 * folder. Creates nothing, because a supervisor must not write before it knows that it owns the run.
 */
export function chooseSocketPath(directory: { readonly path: string }, temporary: string = tmpdir()): string {
  const own = join(directory.path, 's')
  if (fits(own)) return own
  const elsewhere = (folder: string): string => join(folder, `${FOLDER}${randomBytes(9).toString('hex')}`, 's')
  return [elsewhere(temporary), elsewhere('/tmp')].find(fits) ?? own
}

const isTemporaryFolder = (path: string): boolean => basename(dirname(path)).startsWith(FOLDER)

/** Creates the temporary folder. Fails if the folder exists, because it then belongs to another process. */
export async function makeSocketFolder(path: string): Promise<void> {
  if (isTemporaryFolder(path)) await mkdir(dirname(path), { mode: 0o700 })
}

/** Restricts the socket to its owner. Its folder is private, so no other user could connect before this call. */
export const restrictToOwner = (path: string): Promise<void> => chmod(path, 0o600)

/** Removes a socket that no process serves any more, and its temporary folder. */
export async function removeSocket(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isSocket()) await unlink(path)
  } catch {
    // The file is already gone.
  }
  if (isTemporaryFolder(path)) await rmdir(dirname(path)).catch(() => {})
}
