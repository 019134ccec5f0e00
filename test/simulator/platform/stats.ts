import type { Inode } from '../disk.ts'

/** Makes the result of `stat`, with the properties that simulated code uses. */
export const statsOf = ({ device, ino, kind, data, mode, mtimeMs }: Inode) => ({
  dev: device,
  ino,
  uid: globalThis.process.getuid?.(),
  size: data.length,
  mode,
  mtimeMs,
  ctimeMs: mtimeMs,
  ctimeNs: mtimeMs,
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'folder',
  isSocket: () => kind === 'socket',
  isSymbolicLink: () => false,
})
