import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import type { GitPlace } from './git-place.ts'

/**
 * Copies the index of a checkout to a file that does not exist yet, with its time. Git trusts what an index says of files
 * that are older than the index: a copy with a later time would hide changes of the same second and size.
 */
export async function copyIndex({ gitDir }: GitPlace, path: string): Promise<void> {
  const index = join(gitDir, 'index')
  const found = await stat(index).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (found === null) return
  // The time first: a git that replaces the index meanwhile makes the copy look too old, which does no harm.
  const second = Math.floor(found.mtimeMs / 1000)
  await writeFile(path, await readFile(index), { flag: 'wx', mode: 0o600 })
  await utimes(path, second, second)
}
