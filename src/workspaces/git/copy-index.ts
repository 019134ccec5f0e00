import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import type { GitPlace } from './git-place.ts'

/**
 * Copies the index of a checkout, with its time, to a file that does not exist yet. Git trusts the index entries of files that
 * are older than the index, so a copy with a later time would hide changes of the same second and size.
 */
export async function copyIndex({ gitDir }: GitPlace, path: string): Promise<void> {
  const index = join(gitDir, 'index')
  const found = await stat(index).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (found === null) return
  // The time is read first. If another process replaces the index meanwhile, the copy looks too old, which does no
  // harm.
  const second = Math.floor(found.mtimeMs / 1000)
  await writeFile(path, await readFile(index), { flag: 'wx', mode: 0o600 })
  await utimes(path, second, second)
}
