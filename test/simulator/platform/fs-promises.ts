/**
 * Replaces `node:fs/promises` for simulated processes. Each call takes a while, and the process may end during the
 * call.
 */
import type { Disk } from '../disk.ts'
import { DiskError } from '../disk.ts'
import { kernel, running } from '../kernel.ts'
import { statsOf } from './stats.ts'

/** Uses the disk of the calling process, even if another process runs when the call takes effect. */
function onDisk<T>(call: string, work: (disk: Disk) => T): Promise<T> {
  const { disk } = running().machine
  return kernel().call(`disk ${call}`, () => work(disk))
}

type Encoding = string | { readonly encoding?: string } | undefined

export const readFile = (path: string, encoding?: Encoding): Promise<Buffer | string> =>
  onDisk('readFile', (disk) => {
    const { data } = disk.get(path, 'open')
    return encoding === undefined ? data : data.toString('utf8')
  })

interface WriteOptions {
  readonly mode?: number
  readonly flag?: string
  readonly flush?: boolean
}

export const writeFile = (path: string, data: string | Uint8Array, options: WriteOptions = {}): Promise<void> =>
  onDisk('writeFile', (disk) => {
    const { mode = 0o600, flag = 'w', flush = false } = options
    if (flag.includes('x') && disk.find(path) !== null) throw new DiskError('EEXIST', 'open', path)
    disk.write(path, Buffer.from(data), { mode, append: flag.startsWith('a'), sync: flush })
  })

export const rename = (from: string, to: string): Promise<void> => onDisk('rename', (disk) => disk.rename(from, to))
export const unlink = (path: string): Promise<void> => onDisk('unlink', (disk) => disk.remove(path))
export const rmdir = (path: string): Promise<void> => unlink(path)

export const rm = (path: string, { force = false } = {}): Promise<void> =>
  onDisk('rm', (disk) => {
    if (!force) disk.get(path, 'rm')
    disk.remove(path)
  })

export const mkdir = (path: string, { recursive = false } = {}): Promise<string | undefined> =>
  onDisk('mkdir', (disk) => {
    if (recursive) return disk.makeFolders(path)
    disk.makeFolder(path)
    return undefined
  })

export const stat = (path: string) => onDisk('stat', (disk) => statsOf(disk.get(path, 'stat')))
/** A simulated disk has no links, so `lstat` is equal to `stat`. */
export const lstat = (path: string) => stat(path)
export const access = (path: string): Promise<void> => onDisk('access', (disk) => void disk.get(path, 'access'))
export const realpath = (path: string): Promise<string> =>
  onDisk('realpath', (disk) => {
    disk.get(path, 'realpath')
    return path
  })
export const chmod = (path: string, mode: number): Promise<void> =>
  onDisk('chmod', (disk) => void (disk.get(path, 'chmod').mode = mode))

export const readdir = (path: string, { withFileTypes = false } = {}) =>
  onDisk('readdir', (disk) =>
    disk.list(path).map((name) => (withFileTypes ? { name, ...statsOf(disk.get(`${path}/${name}`, 'stat')) } : name)),
  )

export const truncate = (path: string, length: number): Promise<void> =>
  onDisk('truncate', (disk) => {
    const inode = disk.get(path, 'truncate')
    inode.data = inode.data.subarray(0, length)
  })

export const copyFile = (from: string, to: string): Promise<void> =>
  onDisk('copyFile', (disk) => disk.write(to, disk.get(from, 'open').data))

export const link = (from: string, to: string): Promise<void> =>
  onDisk('link', (disk) => {
    if (disk.find(to) !== null) throw new DiskError('EEXIST', 'link', to)
    disk.write(to, disk.get(from, 'link').data, { sync: true })
  })

export const readlink = async (path: string): Promise<string> => {
  throw new DiskError('EINVAL', 'readlink', path)
}

export const open = (path: string, how: string | number = 'r', mode = 0o600) =>
  onDisk('open', (disk) => {
    const flags = typeof how === 'number' ? 'r' : how
    if (flags.includes('x') && disk.find(path) !== null) throw new DiskError('EEXIST', 'open', path)
    const inode = flags.startsWith('r') ? disk.get(path, 'open') : disk.touch(path, mode)
    return {
      fd: disk.hold(inode),
      read: (buffer: Buffer, offset: number, length: number, at: number) =>
        onDisk('read', () => ({ bytesRead: inode.data.copy(buffer, offset, at, at + length) })),
      write: (data: Uint8Array) =>
        onDisk('write', () => {
          disk.write(path, Buffer.from(data), { append: true })
          return { bytesWritten: data.length }
        }),
      writeFile: (data: string) => onDisk('writeFile', () => disk.write(path, Buffer.from(data))),
      readFile: () => onDisk('readFile', () => inode.data.toString('utf8')),
      stat: () => onDisk('stat', () => statsOf(inode)),
      sync: () => onDisk('sync', () => void (inode.synced = inode.data)),
      close: () => onDisk('close', () => {}),
    }
  })

/**
 * Makes a function that scratch folders do not need. Simulated cards use only scratch folders, so a call of such a
 * function fails the simulation.
 */
const notSimulated = (name: string) => async (): Promise<never> => {
  throw new Error(`${name} is not simulated`)
}
export const appendFile = notSimulated('appendFile')
export const chown = notSimulated('chown')
export const cp = notSimulated('cp')
export const mkdtemp = notSimulated('mkdtemp')
export const statfs = (): Promise<unknown> =>
  onDisk('statfs', ({ full }) => ({ blocks: 2e9, bavail: full ? 0 : 1e9, bsize: 4096, files: 1e6, ffree: 1e6 }))
export const symlink = notSimulated('symlink')
export const utimes = notSimulated('utimes')
