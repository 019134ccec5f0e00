/** Paths of a probe lie in the workspace: neither `..` nor a link leads out of it. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Why such a path cannot be meant; null when it can. */
export function pathFault(path: string): string | null {
  if (path === '') return 'names no file'
  if (isAbsolute(path)) return `${path} is not a path within the workspace`
  return path.split('/').includes('..') ? `${path} leads out of the workspace` : null
}

/** Where a path really leads, if that is within the folder; null otherwise, and when nothing is there. */
export async function within(folder: string, path: string): Promise<string | null> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, path))])
    const way = relative(root, real)
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : real
  } catch {
    return null
  }
}
