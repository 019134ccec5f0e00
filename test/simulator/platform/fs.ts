/** Replaces `node:fs` for simulated processes, with the disk of the running process. These calls take no time. */
import { closeSync as closeReal, constants } from 'node:fs'
import type { Inode } from '../disk.ts'
import { DiskError } from '../disk.ts'
import { kernel, running } from '../kernel.ts'
import { statsOf } from './stats.ts'

export { constants }

const disk = () => running().machine.disk
const text = (path: unknown): string => String(path)

/** The open files. Their descriptors are negative, so that they differ from real descriptors. */
const open = new Map<number, { readonly path: string; readonly inode: Inode }>()
let lastDescriptor = -2

export function openSync(path: string, flags = 'r', mode = 0o600): number {
  const inode = flags.startsWith('r') ? disk().get(path, 'open') : disk().touch(path, mode)
  lastDescriptor -= 1
  open.set(lastDescriptor, { path, inode })
  return lastDescriptor
}

export function closeSync(descriptor: number): void {
  if (descriptor >= 0) closeReal(descriptor)
  else open.delete(descriptor)
}

export const existsSync = (path: unknown): boolean => disk().find(text(path)) !== null

export function readFileSync(path: unknown, encoding?: unknown): Buffer | string {
  const { data } = disk().get(text(path), 'open')
  return encoding === undefined ? data : data.toString('utf8')
}

export const writeFileSync = (path: unknown, data: string | Buffer, options: { mode?: number } = {}): void =>
  disk().write(text(path), Buffer.from(data), options.mode === undefined ? {} : { mode: options.mode })

export function statSync(path: unknown, { throwIfNoEntry = true } = {}): ReturnType<typeof statsOf> | undefined {
  const inode = disk().find(text(path))
  if (inode === null && throwIfNoEntry) throw new DiskError('ENOENT', 'stat', text(path))
  return inode === null ? undefined : statsOf(inode)
}

/** A simulated disk has no links, so the real path is the path itself. */
export function realpathSync(path: unknown): string {
  disk().get(text(path), 'realpath')
  return text(path)
}

export const mkdirSync = (path: unknown): void => disk().makeFolder(text(path))

export const accessSync = (path: unknown): void => void disk().get(text(path), 'access')

export function utimesSync(path: unknown, _accessed: number, modified: number): void {
  disk().get(text(path), 'utimes').mtimeMs = modified * 1000
  disk().ring(text(path))
}

export function watch(path: string, _options: unknown, callback: () => void) {
  const process = running()
  const ring = (): void => {
    for (let left = kernel().observer?.deliveries() ?? 1; left > 0; left -= 1)
      kernel().push(process, `watch ${path.split('/').at(-1) ?? ''}`, kernel().latency(), callback)
  }
  const close = disk().watch(path, { owner: process, ring })
  return { on: () => {}, close }
}

/** Makes a function that dispatchers and supervisors do not use. A call of such a function fails the simulation. */
const notSimulated = (name: string) => (): never => {
  throw new Error(`${name} is not simulated`)
}
export const createReadStream = notSimulated('createReadStream')
export const readSync = notSimulated('readSync')
export const writeSync = notSimulated('writeSync')
export const fstatSync = notSimulated('fstatSync')
export const fsyncSync = notSimulated('fsyncSync')
export const linkSync = notSimulated('linkSync')
export const rmSync = notSimulated('rmSync')
export const readdirSync = notSimulated('readdirSync')
export const readlinkSync = notSimulated('readlinkSync')
