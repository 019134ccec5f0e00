/** Keeps the paths of a probe inside the workspace: `..` and symbolic links must not lead out of the workspace. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { isOutside } from '../../util/paths.ts'

/** The reason why a path is not valid. Null means that the path is valid. */
export function pathFault(path: string): string | null {
  if (path === '') return 'names no file'
  if (isAbsolute(path)) return `${path} is not a path within the workspace`
  return path.split('/').includes('..') ? `${path} leads out of the workspace` : null
}

/** The real path of a file. Null means that the file does not exist or is outside the folder. */
export async function pathInside(folder: string, path: string): Promise<string | null> {
  try {
    const [root, real] = await Promise.all([realpath(folder), realpath(join(folder, path))])
    return isOutside(root, real) ? null : real
  } catch {
    return null
  }
}
