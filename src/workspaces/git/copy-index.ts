import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import type { GitPlace } from './git-place.ts'

/**
 * Copies the index of a checkout, with its modification time, to a new file. Git does not read a file again if the file
 * is older than the index. With a later time, the copy would hide a change that was made in the same second and did not
 * change the size of the file.
 */
export async function copyIndex({ gitDir }: GitPlace, path: string): Promise<void> {
  const index = join(gitDir, 'index')
  const found = await stat(index).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (found === null) return
  // The time is read before the content. If another process replaces the index in between, the copy only gets an
  // earlier time, which does no harm.
  const second = Math.floor(found.mtimeMs / 1000)
  await writeFile(path, await readFile(index), { flag: 'wx', mode: 0o600 })
  await utimes(path, second, second)
}
