/**
 * Opens files in a process that may have a SQLite store open. An agent runs as the same user, so any path may be a hard
 * link to the store. Opening a file of the store is an error. If the path becomes such a file between the check and the
 * opening, the descriptor stays open until the process ends: closing it would drop the locks of the store. Pipes and
 * devices are errors too, because opening or reading them may never end.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync as openRawSync,
  readFileSync as readRawSync,
  statSync,
  writeFileSync as writeRawSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { open as openRaw, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { readLimited } from './read-limited.ts'
import { hasOpenStore, isStoreFile } from './store-files.ts'

/** The handles of store files. They are kept forever, because garbage collection would close the files. */
const keptOpen: unknown[] = []

const { O_APPEND, O_CREAT, O_EXCL, O_NONBLOCK, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants

const FLAGS = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
} as const

type Flags = keyof typeof FLAGS | number

const bitsOf = (flags: Flags): number => (typeof flags === 'number' ? flags : FLAGS[flags])

/** A path may be a Buffer, because its bytes are not always valid text. */
type Path = string | Buffer

const isStore = (path: Path): Error =>
  Object.assign(new Error(`EBUSY: the file belongs to the store, open '${String(path)}'`), { code: 'EBUSY' })

const notAFile = (path: Path): Error =>
  Object.assign(new Error(`EFTYPE: it is not a file, open '${String(path)}'`), { code: 'EFTYPE' })

const isOrdinary = (found: Stats): boolean => found.isFile() || found.isDirectory()

/**
 * Changes the flags for opening a file. O_NONBLOCK is added; otherwise opening a pipe would wait for another process.
 * For files and folders, this flag has no effect. O_TRUNC is removed, because the file must be checked before it is
 * emptied.
 */
const atOnce = (bits: number): number => (bits & ~O_TRUNC) | O_NONBLOCK

export async function open(path: Path, flags: Flags = 'r', mode = 0o666): Promise<FileHandle> {
  const bits = bitsOf(flags)
  const before = hasOpenStore() ? await stat(path).catch(() => null) : null
  if (before !== null && isStoreFile(before)) throw isStore(path)
  const handle = await openRaw(path, atOnce(bits), mode)
  const found = await handle.stat()
  if (isStoreFile(found)) {
    keptOpen.push(handle)
    throw isStore(path)
  }
  if (!isOrdinary(found)) {
    await handle.close()
    throw notAFile(path)
  }
  if ((bits & O_TRUNC) !== 0 && found.size > 0) await handle.truncate(0)
  return handle
}

export function openSync(path: Path, flags: Flags = 'r', mode = 0o666): number {
  const bits = bitsOf(flags)
  const before = hasOpenStore() ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (before !== undefined && isStoreFile(before)) throw isStore(path)
  const descriptor = openRawSync(path, atOnce(bits), mode)
  const found = fstatSync(descriptor)
  if (isStoreFile(found)) {
    keptOpen.push(descriptor)
    throw isStore(path)
  }
  if (!isOrdinary(found)) {
    closeSync(descriptor)
    throw notAFile(path)
  }
  if ((bits & O_TRUNC) !== 0 && found.size > 0) ftruncateSync(descriptor, 0)
  return descriptor
}

async function using<T>(handle: FileHandle, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

export async function readFile(path: Path): Promise<Buffer>
export async function readFile(path: Path, encoding: 'utf8'): Promise<string>
export async function readFile(path: Path, encoding?: 'utf8'): Promise<Buffer | string> {
  return using(await open(path), (handle) => handle.readFile(encoding))
}

/** Reads a file that a user named. If the file is a pipe, as in `@<(date)`, this function waits for its data. */
export async function readNamed(path: string): Promise<Buffer> {
  if (isOrdinary(await stat(path))) return readFile(path)
  return using(await openRaw(path), (handle) => readLimited(handle.createReadStream({ autoClose: false }), path))
}

/** Reads a file by path. If `path` is a number, reads this open descriptor. */
export function readFileSync(path: Path | number): Buffer
export function readFileSync(path: Path | number, encoding: 'utf8'): string
export function readFileSync(path: Path | number, encoding?: 'utf8'): Buffer | string {
  if (typeof path === 'number') return readRawSync(path, encoding)
  const descriptor = openSync(path)
  try {
    return readRawSync(descriptor, encoding)
  } finally {
    closeSync(descriptor)
  }
}

interface WriteOptions {
  readonly mode?: number
  readonly flag?: 'w' | 'wx' | 'a'
  /** Whether to sync the file to the disk before returning. */
  readonly flush?: boolean
}

export async function writeFile(
  path: Path,
  content: string | Uint8Array,
  { mode, flag = 'w', flush = false }: WriteOptions = {},
): Promise<void> {
  await using(await open(path, flag, mode), async (handle) => {
    await handle.writeFile(content)
    if (flush) await handle.sync()
  })
}

export function writeFileSync(
  path: string,
  content: string | Uint8Array,
  { mode, flag = 'w', flush = false }: WriteOptions = {},
): void {
  const descriptor = openSync(path, flag, mode)
  try {
    writeRawSync(descriptor, content)
    if (flush) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export const appendFile = (path: string, content: string, { mode }: { mode?: number } = {}): Promise<void> =>
  writeFile(path, content, { flag: 'a', ...(mode !== undefined && { mode }) })

export const truncate = async (path: string, length: number): Promise<void> =>
  using(await open(path, 'r+'), (handle) => handle.truncate(length))
