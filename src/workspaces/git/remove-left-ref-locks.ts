import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '../../util/replace-file.ts'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'

/**
 * Removes the locks of a git process that was killed while it moved a branch to `to`. Git locks the branch, writes the
 * new commit into this lock, locks HEAD, and renames the branch lock to the branch. A lock in any other state belongs
 * to the user.
 */
export async function removeLeftRefLocks(git: Git, place: GitPlace, to: string): Promise<void> {
  const headLock = join(place.gitDir, 'HEAD.lock')
  const branch = (await git.ask(place, 'symbolic-ref', '--quiet', 'HEAD'))?.trim()
  if (branch === undefined) return
  const branchLock = join(place.common, `${branch}.lock`)
  const isCutOff = (await readIfExists(branchLock)) === `${to}\n`
  const head = (await git.ask(place, 'rev-parse', '--verify', '--quiet', 'HEAD'))?.trim()
  const hasMoved = head === to && !existsSync(branchLock)
  if (isCutOff) await rm(branchLock, { force: true })
  if ((isCutOff || hasMoved) && (await readIfExists(headLock)) === '') await rm(headLock, { force: true })
}
