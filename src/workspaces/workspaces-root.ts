/**
 * The root of a board's workspaces: the folder that contains the folders of its cards. It has a marker file that only
 * Muster writes. Muster never removes anything from a folder without the marker.
 */
import { lstat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeFile } from '../util/guarded-files.ts'
import { inHome } from '../config/home.ts'
import { BoardError } from '../core/errors.ts'
import { enterFolder, fileFault, findFolder } from './managed-folder.ts'

export const MARKER = '.muster-workspaces'
/**
 * The folder into which workspaces are moved before they are removed. The folder is on the same disk, so that one
 * system call can move a workspace.
 */
export const TRASH = '.trash'

const MARKED = 'The folders beside this file belong to cards. Muster removes them when no card needs them any more.\n'

const stepsTo = (board: string): [string, ...string[]] => ['boards', board, 'workspaces']

/** Creates the root and its marker. */
export async function enterRoot(home: string, board: string): Promise<string> {
  const root = await enterFolder(home, ...stepsTo(board))
  await writeFile(join(root, MARKER), MARKED, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileFault(error, root)
  })
  return root
}

/** Creates the folder of a card in its marked root. */
export async function makeCardFolder({ home, board, task }: { home: string; board: string; task: string }) {
  await enterRoot(home, board)
  await enterFolder(home, ...stepsTo(board), task)
}

export interface Inode {
  readonly dev: number
  readonly ino: number
}

export const isSameInode = (a: Inode, b: Inode): boolean => a.dev === b.dev && a.ino === b.ino

export const unsafeToRemove = (path: string, why: string): BoardError =>
  new BoardError('not_allowed', `${path} is not removed: ${why}.`, { details: { path } })

/**
 * The root of a board. Null means that the root does not exist. Throws an error if the root has no marker, because
 * nothing may be removed from such a folder.
 */
export async function findRoot(home: string, board: string): Promise<string | null> {
  const root = await findFolder(home, ...stepsTo(board))
  if (root === null) return null
  const found = await lstat(root)
  for (const path of [home, homedir(), inHome.runs(home), inHome.board(home, board), '/']) {
    const other = await lstat(path).catch(() => null)
    if (other !== null && isSameInode(other, found)) throw unsafeToRemove(root, `it is the same folder as ${path}`)
  }
  await requireMarker(root, root)
  return root
}

/**
 * Throws an error if the root has no marker. `base` is another path to the root, which is valid even if a link replaces
 * `root`.
 */
export async function requireMarker(base: string, root: string): Promise<void> {
  const marker = await lstat(join(base, MARKER)).catch(() => null)
  if (marker === null || !marker.isFile() || marker.uid !== process.getuid?.())
    throw unsafeToRemove(root, `it has no file ${MARKER}, which Muster puts into every workspaces folder`)
}
