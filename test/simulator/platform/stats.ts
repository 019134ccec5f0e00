import type { Inode } from '../disk.ts'

/** What `stat` says of a file, as far as anybody here asks. */
export const statsOf = ({ ino, kind, data, mode, mtimeMs }: Inode) => ({
  ino,
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
