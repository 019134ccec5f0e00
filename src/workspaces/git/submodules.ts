/**
 * Finds the submodules of a worktree. Git keeps their git directories inside the git directory of the worktree. A git
 * directory at any other place was made by an agent, and Muster does not run git there.
 */
import { lstat, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { dotGit } from './git-place.ts'
import type { GitPlace } from './git-place.ts'

export interface Submodule {
  /** The path of the submodule, relative to the worktree. */
  readonly path: string
  readonly gitDir: string
}

/** The paths that the index lists as submodules. */
export async function gitlinksOf(git: Git, place: GitPlace): Promise<readonly string[]> {
  const staged = await git.run(place, 'ls-files', '-z', '--stage')
  return staged
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1))
}

export const placeOfSubmodule = ({ workTree }: GitPlace, { path, gitDir }: Submodule): GitPlace => ({
  gitDir,
  common: gitDir,
  workTree: join(workTree ?? '', path),
  isForeign: true,
})

/** The submodules that are checked out, at any depth. */
export async function submodulesIn(git: Git, place: GitPlace): Promise<readonly Submodule[]> {
  const found: Submodule[] = []
  for (const path of await gitlinksOf(git, place)) {
    const gitDir = await ownGitDir(place, path)
    if (gitDir === null) continue
    const one = { path, gitDir }
    const inner = await submodulesIn(git, placeOfSubmodule(place, one))
    found.push(one, ...inner.map((below) => ({ ...below, path: join(path, below.path) })))
  }
  return found
}

/**
 * The git directory that the submodule's `.git` file names. Null means that this directory is not inside the git
 * directory of the worktree.
 */
async function ownGitDir({ gitDir, workTree }: GitPlace, path: string): Promise<string | null> {
  const folder = join(workTree ?? '', path)
  if ((await lstat(join(folder, '.git')).catch(() => null))?.isFile() !== true) return null
  const named = await dotGit(folder)
  const [real, above] = [named === null ? null : await realpath(named).catch(() => null), await realpath(gitDir)]
  return real?.startsWith(`${above}/modules/`) === true ? real : null
}
