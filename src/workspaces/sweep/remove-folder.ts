/**
 * Removes the folder of a card and nothing else. The folder is checked first: it must be a real folder, directly below
 * a marked root, without mounts. Then it is moved into `.trash` in one call, and its device and inode are checked
 * again. A child process that works inside `.trash` then removes it. Nothing is lost before the move. If the second
 * check finds another folder, that folder is moved back.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, readdir, realpath, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { open } from '../../util/guarded-files.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { Board } from '../../core/board.ts'
import { isTaskId } from '../../core/ids.ts'
import type { TaskId } from '../../core/ids.ts'
import { fileFault } from '../managed-folder.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { Store } from '../../storage/store.ts'
import type { CardLocation } from '../workspace.ts'
import { TRASH, findRoot, isSameInode, requireMarker, unsafeToRemove } from '../workspaces-root.ts'
import type { Inode } from '../workspaces-root.ts'
import { systemReason } from '../../util/system-errors.ts'

/** A folder in the trash that will be removed. */
export interface Trashed {
  /** The `.trash` folder that contains the entry. */
  readonly trash: string
  readonly inTrash: Inode
  readonly name: string
}

interface MoveOptions {
  /** Paths that boards and cards name. Muster does not remove these paths, or a folder that contains one of them. */
  readonly protectedPaths?: readonly string[]
  /** Called before the folder is moved. Tests change the folder at this point. */
  readonly beforeMove?: () => Promise<void>
}

const NAME = /^(t_[0-9a-z]{8,16})-[0-9a-f]{8}$/

/** The card of an entry in `.trash`. Null means that Muster did not put the entry there. */
export function trashedCard(name: string): TaskId | null {
  const id = NAME.exec(name)?.[1]
  return id !== undefined && isTaskId(id) ? id : null
}

/**
 * Moves the folder of a card into the trash. Returns null if the folder does not exist. If a check fails, throws an
 * error and changes nothing.
 */
export async function trashCardFolder(
  place: CardLocation,
  { protectedPaths = [], beforeMove }: MoveOptions = {},
): Promise<Trashed | null> {
  const { home, board, task } = place
  if (!isTaskId(task)) throw unsafeToRemove(String(task), 'that is not the id of a card')
  const root = await findRoot(home, board)
  if (root === null) return null
  const path = join(root, task)
  const seen = await lstat(root)
  const inside = await enter(root, seen)
  try {
    await requireMarker(inside.base, root)
    const subject = await lstat(join(inside.base, task)).catch(() => null)
    if (subject === null) return null
    await refuseStrange(path, subject, seen)
    await refuseProtected(path, protectedPaths)
    const trash = await enterTrash(inside.base, join(root, TRASH))
    try {
      await beforeMove?.()
      const name = `${task}-${randomBytes(4).toString('hex')}`
      const [from, to] = [join(inside.base, task), join(trash.base, name)]
      await rename(from, to).catch((error: unknown) => {
        throw unsafeToRemove(path, `it cannot be moved (${systemReason(error)})`)
      })
      if (isSameInode(await lstat(to), subject)) return { trash: join(root, TRASH), inTrash: trash.seen, name }
      await rename(to, from)
      throw unsafeToRemove(path, 'another folder took its place meanwhile')
    } finally {
      await trash.handle.close()
    }
  } finally {
    await inside.handle.close()
  }
}

interface Inside {
  readonly handle: FileHandle
  /** A path that leads to this folder even if another folder gets its name. Such a path exists only on Linux. */
  readonly base: string
  readonly seen: Inode
}

async function enter(path: string, seen: Inode): Promise<Inside> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    (error: unknown) => {
      throw fileFault(error, path)
    },
  )
  if (isSameInode(await handle.stat(), seen))
    return { handle, base: process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path, seen }
  await handle.close()
  throw unsafeToRemove(path, 'it was replaced meanwhile')
}

async function enterTrash(base: string, path: string): Promise<Inside> {
  const at = join(base, TRASH)
  await mkdir(at, { mode: 0o700 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileFault(error, path)
  })
  const seen = await lstat(at)
  if (!seen.isDirectory() || seen.uid !== process.getuid?.())
    throw unsafeToRemove(path, 'it is not a folder that Muster made')
  if ((seen.mode & 0o077) !== 0) await chmod(at, 0o700)
  return enter(at, seen)
}

/**
 * Throws an error for a link, a file, a folder on another disk, or a folder with a mount inside. Muster creates none of
 * these.
 */
async function refuseStrange(
  path: string,
  subject: Inode & { isSymbolicLink(): boolean; isDirectory(): boolean },
  root: Inode,
): Promise<void> {
  if (subject.isSymbolicLink()) throw unsafeToRemove(path, 'it is a link to a place that Muster does not manage')
  if (!subject.isDirectory()) throw unsafeToRemove(path, 'it is not a folder')
  if (subject.dev !== root.dev) throw unsafeToRemove(path, 'another disk is mounted there')
  const mounted = (await mounts()).find((mount) => mount === path || mount.startsWith(path + sep))
  if (mounted !== undefined) throw unsafeToRemove(path, `something is mounted at ${mounted}`)
}

/**
 * The mount points on Linux. The list comes from the system, because a mount of the same disk looks like any other
 * folder.
 */
async function mounts(): Promise<string[]> {
  const table = (await readIfExists('/proc/self/mountinfo')) ?? ''
  const unescape = (text: string): string =>
    text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
  return table
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .map(unescape)
}

/**
 * Reads the paths that boards and cards name when the first folder is about to be removed. The paths are then cached.
 */
export function readProtectedPaths(
  store: Pick<Store, 'namedPlaces'>,
  boards: readonly Pick<Board, 'settings'>[],
): () => Promise<readonly string[]> {
  let found: Promise<readonly string[]> | null = null
  const defaults = boards.flatMap(({ settings }) => settings.defaultDirectory ?? [])
  return () => (found ??= store.namedPlaces().then((places) => [...defaults, ...places]))
}

async function refuseProtected(path: string, protectedPaths: readonly string[]): Promise<void> {
  for (const named of protectedPaths) {
    const real = await realpath(named).catch(() => named)
    if (real === path || real.startsWith(path + sep))
      throw unsafeToRemove(path, `another card or a board uses ${named}`)
  }
}

/**
 * The script that removes an entry. `$1` is the device and inode that the working directory must have, `$2` the entry.
 * `rm` never follows a link. Some package caches have folders that even their owner may not enter, so folders get that
 * permission first. Files keep their mode, because they may have hard links elsewhere.
 */
const REMOVER = `
here=$(stat -c %d:%i . 2>/dev/null || stat -f %d:%i .)
if [ "$here" != "$1" ]; then echo "the trash was replaced meanwhile" >&2; exit 3; fi
rm -rf -- "./$2" 2>/dev/null && exit 0
find "./$2" -type d ! -perm -700 -exec chmod u+rwx {} ';' 2>/dev/null
exec rm -rf -- "./$2"
`

/**
 * Removes a folder from the trash. If the removal fails, the folder stays in the trash, and the function returns the
 * reason.
 */
export async function removeTrashed({ trash, inTrash, name }: Trashed): Promise<string | null> {
  if (trashedCard(name) === null) return `${join(trash, name)} is not removed: Muster did not put it there`
  const here = `${inTrash.dev}:${inTrash.ino}`
  const { code, stderr } = await runProgram('/bin/sh', ['-c', REMOVER, 'remover', here, name], { cwd: trash })
  if (code === 0) return null
  const [first = `it could not be removed (status ${code})`] = stderr.split('\n').filter((line) => line !== '')
  return `${join(trash, name)} was not removed: ${first}`
}

/** The folders in the trash of a board. Their removal was interrupted or failed. */
export async function listTrash(home: string, board: string): Promise<readonly Trashed[]> {
  const root = await findRoot(home, board)
  if (root === null) return []
  const trash = join(root, TRASH)
  const inTrash = await lstat(trash).catch(() => null)
  if (inTrash === null) return []
  if (!inTrash.isDirectory()) throw unsafeToRemove(trash, 'it is not a folder that Muster made')
  const names = (await readdir(trash)).filter((name) => trashedCard(name) !== null)
  return names.map((name) => ({ trash, inTrash, name }))
}
