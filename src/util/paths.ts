/** Functions that treat paths as text. None of them reads the disk. */
import os from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Whether a path is outside of a folder. Resolve symbolic links first if they matter. */
export function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

/** Expands `~/src` as a shell does, because a shell does not expand it in quotes or after `dir:`. */
export const expandTilde = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(os.homedir(), path.slice(1)) : path
