import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is outside of a folder, as both are written: where links really lead is for the caller to find out. */
export function leadsOut(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}
