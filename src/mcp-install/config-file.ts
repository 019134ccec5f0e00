/** A configuration file of another program. Muster either replaces the whole file or changes nothing. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chown, lstat, readlink, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { open, readFile } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import { makeFolders } from '../util/make-folders.ts'
import { nullIfMissing } from '../util/replace-file.ts'
import { TextFault } from './text-fault.ts'
import { systemReason, writeFault } from '../util/system-errors.ts'

export interface ConfigFile {
  /** The path of the file in the form that the other program uses. */
  readonly path: string
  /** The path of the file after all links are resolved. */
  readonly target: string
  /** The text of the file. Null means that the file does not exist. */
  readonly text: string | null
}

const MAX_LINKS = 20

export async function readConfigFile(path: string): Promise<ConfigFile> {
  try {
    const target = await followLinks(path)
    const bytes = await nullIfMissing(readFile(target))
    return { path, target, text: bytes === null ? null : decode(bytes) }
  } catch (cause) {
    if (cause instanceof TextFault) throw cause
    throw new BoardError('store_io', `${path} cannot be read (${systemReason(cause)}).`, { details: { path }, cause })
  }
}

/** Replaces the file. Returns false and writes nothing if the file has changed since it was read. */
export async function replaceConfigFile(file: ConfigFile, text: string | null): Promise<boolean> {
  try {
    if (file.text !== null) await requireWritable(file)
    if (text === null) return await removeIfSame(file)
    makeFolders(dirname(file.target))
    return await writeIfSame(file, text)
  } catch (cause) {
    throw cause instanceof BoardError ? cause : writeFault(cause, file.path)
  }
}

/** The folders that must be created for the file, innermost first. */
export async function foldersToMake({ target }: ConfigFile): Promise<readonly string[]> {
  const missing: string[] = []
  for (let folder = dirname(target); !(await exists(folder)); folder = dirname(folder)) missing.push(folder)
  return missing
}

/** Removes the given folders if they are empty. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {})
}

async function followLinks(path: string): Promise<string> {
  let at = path
  for (let links = 0; links < MAX_LINKS; links += 1) {
    if (await exists(at)) return realpath(at)
    const link = await lstat(at).catch(() => null)
    if (link?.isSymbolicLink() !== true) return at
    at = resolve(dirname(at), await readlink(at))
  }
  throw new Error('its symbolic links form a loop')
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Decodes the file. Text that is not valid UTF-8 is refused, because writing it back would change its bytes. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new TextFault('', 0, 'it is not UTF-8 text')
  }
}

/** Throws an error for a read-only file. Such a file is not replaced, even if the folder is writable. */
async function requireWritable({ path, target }: ConfigFile): Promise<void> {
  const { mode } = await stat(target)
  const allowed =
    (mode & 0o222) !== 0 &&
    (await access(target, constants.W_OK).then(
      () => true,
      () => false,
    ))
  if (allowed) return
  throw new BoardError('store_io', `${path} is read-only, so it was not changed. Make it writable first.`, {
    details: { path },
  })
}

async function writeIfSame(file: ConfigFile, text: string): Promise<boolean> {
  const { target } = file
  const before = await stat(target).catch(() => null)
  const unfinished = `${target}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      if (before !== null) await handle.chmod(before.mode & 0o7777)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // Only root can change the owner of a file. If another user writes the file, the file already has the right owner.
    if (before !== null) await chown(unfinished, before.uid, before.gid).catch(() => {})
    if (!(await isSame(file))) return false
    await rename(unfinished, target)
    return true
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function removeIfSame(file: ConfigFile): Promise<boolean> {
  if (!(await isSame(file))) return false
  await rm(file.target, { force: true })
  return true
}

/**
 * Whether the file still has the text that was read. This check comes right before the rename, because an assistant may
 * write its file at any time.
 */
async function isSame({ target, text }: ConfigFile): Promise<boolean> {
  const now = await nullIfMissing(readFile(target))
  return text === null || now === null ? text === now : now.equals(Buffer.from(text))
}
