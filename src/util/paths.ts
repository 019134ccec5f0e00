/** Functions that handle paths as text. They do not read the disk. */
import os from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Whether a path is outside a folder. The caller must resolve symbolic links first if they matter. */
export function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

/** Expands `~/src` in the same way as a shell. Shells do not expand `~` in quotes or after `dir:`. */
export const expandTilde = (path: string): string =>
  path === '~' || path.startsWith('~/') ? join(os.homedir(), path.slice(1)) : path
