/** A disk in memory: files, folders and sockets. A power failure loses data that was not synced. */
import { dirname } from 'node:path'

export interface Inode {
  readonly device: number
  readonly ino: number
  readonly kind: 'file' | 'folder' | 'socket'
  data: Buffer
  /** The content that survives a power failure. Null means that no content was synced. */
  synced: Buffer | null
  mode: number
  mtimeMs: number
}

interface Watcher {
  /** The process that watches. When the process ends, the watch ends too. */
  readonly owner: object
  readonly ring: () => void
}

export class DiskError extends Error {
  readonly code: string

  constructor(code: string, call: string, path: string) {
    super(`${code}: ${call} '${path}'`)
    this.code = code
  }
}

let disks = 0

const HELD = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/

export class Disk {
  full = false
  /** The device number, which differs for each disk, so that files of two disks are never mistaken for each other. */
  readonly device = (disks += 1)
  readonly #clock: () => number
  readonly #inodes = new Map<string, Inode>()
  readonly #watchers = new Map<string, Set<Watcher>>()
  #made = 0
  readonly #held: Inode[] = []

  constructor(clock: () => number) {
    this.#clock = clock
    this.#put('/', 'folder')
  }

  #put(path: string, kind: Inode['kind'], data = Buffer.alloc(0), mode = 0o600): Inode {
    this.#made += 1
    const inode = {
      device: this.device,
      ino: this.device * 1_000_000 + this.#made,
      kind,
      data,
      synced: kind === 'file' ? null : data,
      mode,
      mtimeMs: this.#clock(),
    }
    this.#inodes.set(path, inode)
    return inode
  }

  find(path: string): Inode | null {
    return this.#inodes.get(this.resolve(path)) ?? null
  }

  /** Keeps a folder open, so that its descriptor leads to the folder even after it was moved. */
  hold(inode: Inode): number {
    this.#held.push(inode)
    return this.#held.length - 1
  }

  /** Resolves a path that goes through the descriptor of an open folder. */
  resolve(path: string): string {
    const [, descriptor, rest = ''] = HELD.exec(path) ?? []
    if (descriptor === undefined) return path
    const inode = this.#held[Number(descriptor)]
    for (const [at, one] of this.#inodes) if (one === inode) return `${at}${rest}`
    return path
  }

  get(path: string, call: string): Inode {
    const inode = this.find(path)
    if (inode === null) throw new DiskError('ENOENT', call, path)
    return inode
  }

  #requireSpace(call: string, path: string): void {
    if (this.full) throw new DiskError('ENOSPC', call, path)
  }

  /** Returns the file at a path and creates it if it does not exist. */
  touch(given: string, mode = 0o600): Inode {
    const path = this.resolve(given)
    const there = this.find(path)
    if (there !== null) return there
    if (this.find(dirname(path))?.kind !== 'folder') throw new DiskError('ENOENT', 'open', path)
    this.#requireSpace('open', path)
    return this.#put(path, 'file', Buffer.alloc(0), mode)
  }

  write(given: string, data: Buffer, { append = false, mode = 0o600, sync = false } = {}): void {
    const path = this.resolve(given)
    this.#requireSpace('write', path)
    const inode = this.touch(path, mode)
    inode.data = append ? Buffer.concat([inode.data, data]) : data
    inode.mtimeMs = this.#clock()
    if (sync) inode.synced = inode.data
    this.ring(path)
  }

  list(given: string): readonly string[] {
    const path = this.resolve(given)
    if (this.get(path, 'scandir').kind !== 'folder') throw new DiskError('ENOTDIR', 'scandir', path)
    const inside = path === '/' ? '/' : `${path}/`
    return [...this.#inodes.keys()]
      .filter((one) => one.startsWith(inside) && one !== '/' && !one.slice(inside.length).includes('/'))
      .map((one) => one.slice(inside.length))
      .sort()
  }

  /**
   * Creates folders. Returns the first folder that was created, as Node does. Undefined means that all folders existed.
   */
  makeFolders(path: string): string | undefined {
    const there = this.find(path)
    if (there?.kind === 'folder') return undefined
    if (there !== null) throw new DiskError('EEXIST', 'mkdir', path)
    const above = this.makeFolders(dirname(path))
    this.makeFolder(path)
    return above ?? path
  }

  makeFolder(given: string): void {
    const path = this.resolve(given)
    if (this.find(path) !== null) throw new DiskError('EEXIST', 'mkdir', path)
    this.get(dirname(path), 'mkdir')
    this.#requireSpace('mkdir', path)
    this.#put(path, 'folder')
  }

  makeSocket(path: string): void {
    this.#requireSpace('listen', path)
    this.#put(path, 'socket')
  }

  rename(given: string, target: string): void {
    const [from, to] = [this.resolve(given), this.resolve(target)]
    const moved = this.get(from, 'rename')
    for (const [path, inode] of this.#below(from)) {
      this.#inodes.delete(path)
      this.#inodes.set(`${to}${path.slice(from.length)}`, inode)
    }
    if (moved.kind === 'file') this.ring(to)
  }

  remove(given: string): void {
    const path = this.resolve(given)
    for (const [one] of this.#below(path)) this.#inodes.delete(one)
  }

  #below(path: string): readonly (readonly [path: string, inode: Inode])[] {
    return Array.from(this.#inodes).filter(([one]) => one === path || one.startsWith(`${path}/`))
  }

  watch(path: string, watcher: Watcher): () => void {
    this.get(path, 'watch')
    const watchers = this.#watchers.get(path) ?? new Set()
    this.#watchers.set(path, watchers.add(watcher))
    return () => void watchers.delete(watcher)
  }

  unwatch(owner: object): void {
    for (const watchers of this.#watchers.values())
      for (const watcher of watchers) if (watcher.owner === owner) watchers.delete(watcher)
  }

  /** Notifies the watchers of a file about a change of that file. */
  ring(path: string): void {
    for (const { ring } of this.#watchers.get(path) ?? []) ring()
  }

  /** Loses all content that was not synced. A file that was never synced still exists, but is empty. */
  loseUnsynced(): void {
    this.#watchers.clear()
    for (const [path, inode] of this.#inodes) {
      if (inode.kind === 'socket') this.#inodes.delete(path)
      else if (inode.kind === 'file') inode.data = inode.synced ?? Buffer.alloc(0)
    }
  }
}
