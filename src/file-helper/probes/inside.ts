/** Paths of a probe lie in the workspace: neither `..` nor a link leads out of it. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { leadsOut } from '../../util/leads-out.ts'

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
    return leadsOut(root, real) ? null : real
  } catch {
    return null
  }
}
