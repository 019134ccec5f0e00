/** Creates and finds the folders that Muster manages in the data folder. */
import { lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from '../util/guarded-files.ts'
import { makePrivateFolder } from '../config/home.ts'
import { BoardError, diskFull, isDiskFull } from '../core/errors.ts'
import { systemReason } from '../util/system-errors.ts'

/**
 * Creates the missing folders of a path in the data folder, and returns the path. Only the data folder itself may be a
 * link. A link further down could make Muster write or remove files anywhere.
 */
export async function enterFolder(home: string, ...steps: readonly string[]): Promise<string> {
  await makePrivateFolder(home)
  const found = await walk(await realpath(home), steps, makeStep)
  if (found === null) throw new BoardError('store_io', `Folder ${join(home, ...steps)} was removed meanwhile.`)
  return found
}

/** Like `enterFolder`, but does not create missing folders. Returns null if the folder does not exist. */
export async function findFolder(home: string, ...steps: readonly string[]): Promise<string | null> {
  const top = await realpath(home).catch(() => null)
  return top === null ? null : walk(top, steps, async () => {})
}

async function walk(
  top: string,
  steps: readonly string[],
  prepare: (folder: string) => Promise<void>,
): Promise<string | null> {
  let folder = top
  for (const step of steps) {
    folder = join(folder, step)
    await prepare(folder)
    const found = await lstat(folder).catch(() => null)
    if (found === null) return null
    if (!found.isDirectory())
      throw new BoardError('store_io', `${folder} is a link or a file, not a folder: remove it.`, {
        details: { path: folder },
      })
  }
  return folder
}

async function makeStep(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw fileFault(cause, folder)
  }
}

/** Flushes a folder to the disk. Without this, a new name in the folder may be lost in a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Converts an error of the file system to a `BoardError`. Returns any other error unchanged. */
export function fileFault(error: unknown, path: string): unknown {
  if (error instanceof BoardError) return error
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  const details = { details: { path }, cause: error }
  if (isDiskFull(error)) return diskFull(path, details)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BoardError('store_read_only', `${path} cannot be written: check its permissions.`, details)
  return code === undefined
    ? error
    : new BoardError(
        'store_io',
        `${path} cannot be used (${systemReason(error)}): check the disk and its folder.`,
        details,
      )
}

/** The names in a managed folder. The list is empty if the folder does not exist or is a link. */
export async function namesInFolder(home: string, ...steps: readonly string[]): Promise<string[]> {
  const folder = await findFolder(home, ...steps).catch(() => null)
  return folder === null ? [] : readdir(folder).catch(() => [])
}
