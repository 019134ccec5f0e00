/** Finds the work that would be lost if Muster removed a worktree. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { cut } from '../../core/text.ts'
import { usersGit } from './git.ts'
import type { Git } from './git.ts'
import { hasOwnGitFile } from './git-place.ts'
import type { GitPlace } from './git-place.ts'
import { hiddenChange } from './hidden-changes.ts'
import { placeOfWorktree, repositoryPlace } from './repository.ts'
import { withRepository } from './repository-lock.ts'
import { gitlinksOf, placeOfSubmodule, submodulesIn } from './submodules.ts'
import type { Submodule } from './submodules.ts'
import type { CardLocation } from '../workspace.ts'
import { WorkspaceFault } from '../workspace-fault.ts'
import { readWorktree } from './worktree.ts'

const PATIENCE_MS = 20_000

/** Options that list all changes, independent of the user's configuration. Submodules are checked separately. */
const EVERYTHING = ['--untracked-files=all', '--no-renames']

/**
 * Describes uncommitted changes. The text names one file, because the user might not expect that this file counts as
 * work.
 */
function uncommitted(changed: readonly string[]): string {
  const [first = ''] = changed
  const path = cut(first.slice('XY '.length), 200)
  return changed.length === 1
    ? `uncommitted changes in ${path}`
    : `uncommitted changes in ${changed.length} files: ${path}, …`
}

const UNLANDED = 'the commits have not landed on'

/** Whether a worktree is kept only because its commits have not landed. */
export const isUnlanded = (reason: string): boolean => reason.startsWith(UNLANDED)

interface Held {
  readonly home: string
  readonly folder: string
  readonly repo: string | null
  /** The commit of the card's branch that landed last. Null means that no commit has landed. */
  readonly landedTip: string | null
}

/** Why a worktree must be kept. Null means that all its work is committed and has landed. */
export async function reasonToKeepWorktree({ home, folder, repo, landedTip }: Held): Promise<string | null> {
  const git = usersGit(home)
  try {
    const place = repo === null ? null : await placeOfWorktree(git, { repo, path: folder })
    if (place === null) return 'the repository has no record of the worktree'
    if (!(await hasOwnGitFile(place))) return 'the .git file was replaced, so the folder may hold another repository'
    const changed = await changedFiles(git, place)
    if (changed.length > 0) return uncommitted(changed)
    const hidden = await hiddenChange(git, place)
    if (hidden !== null)
      return `uncommitted changes in ${cut(hidden, 200)}, which assume-unchanged or skip-worktree hides from git`
    const head = (await git.run(place, 'rev-parse', 'HEAD')).trim()
    if (head === landedTip) return await reasonToKeepSubmodules(git, place)
    const base = await baseOf(git, place, repo)
    if (base === null) return 'the branch on which the work should land is unknown'
    const landed = await git.ask(place, 'merge-base', '--is-ancestor', 'HEAD', base)
    if (landed === null) return `${UNLANDED} ${base.replace(/^refs\/heads\//, '')}`
    return await reasonToKeepSubmodules(git, place)
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    return `git cannot check it for changes: ${error.message.split('\n')[0]}`
  }
}

/** The uncommitted files of a worktree. The list is empty if the folder is gone. Nested repositories do not count. */
export async function uncommittedFiles(home: string, folder: string, repo: string): Promise<readonly string[]> {
  const git = usersGit(home)
  const place = existsSync(folder) ? await placeOfWorktree(git, { repo, path: folder }) : null
  if (place === null) return []
  const changed = (await changedFiles(git, place)).map((line) => line.slice('XY '.length))
  return changed.filter((path) => !path.endsWith('/'))
}

/**
 * The other branch to which the worktree was switched. Null means that the worktree is on its own branch, or that the
 * other branch has no additional commits.
 */
export async function strayBranch(
  home: string,
  { repo, path, branch }: { readonly repo: string; readonly path: string; readonly branch: string },
): Promise<string | null> {
  const git = usersGit(home)
  const place = existsSync(path) ? await placeOfWorktree(git, { repo, path }) : null
  if (place === null) return null
  const head = (await git.ask(place, 'symbolic-ref', '--quiet', 'HEAD'))?.trim()
  if (head === `refs/heads/${branch}`) return null
  const isOnBranch = await git.ask(place, 'merge-base', '--is-ancestor', 'HEAD', `refs/heads/${branch}`)
  return isOnBranch === null ? (head?.replace(/^refs\/heads\//, '') ?? 'no branch') : null
}

/**
 * Why the submodules of a worktree cannot land with the worktree. Null means that they can land, or that the folder is
 * gone.
 */
export async function submoduleFault(home: string, folder: string, repo: string): Promise<string | null> {
  const git = usersGit(home)
  const place = existsSync(folder) ? await placeOfWorktree(git, { repo, path: folder }) : null
  if (place === null) return null
  const [changed] = await changedSubmodules(git, place)
  if (changed !== undefined) return `The submodule ${changed} has uncommitted changes: commit and push them`
  for (const one of await submodulesIn(git, place)) {
    const only = await git.run(placeOfSubmodule(place, one), 'rev-list', '--max-count=1', 'HEAD', '--not', '--remotes')
    if (only !== '') return `The submodule ${one.path} is at a commit that no remote has: push it`
  }
  return null
}

const changedFiles = async (git: Git, place: GitPlace): Promise<readonly string[]> =>
  (await git.run(place, 'status', '--porcelain', '-z', ...EVERYTHING)).split('\0').filter((line) => line !== '')

/** The submodules with uncommitted files. */
export async function changedSubmodules(git: Git, place: GitPlace): Promise<readonly string[]> {
  const changed: string[] = []
  for (const one of await submodulesIn(git, place))
    if ((await changedFiles(git, placeOfSubmodule(place, one))).length > 0) changed.push(one.path)
  return changed
}

/**
 * Why the submodules must be kept. Their commits are stored inside the worktree, so commits that are on no remote would
 * be lost.
 */
async function reasonToKeepSubmodules(git: Git, place: GitPlace): Promise<string | null> {
  const known = await submodulesIn(git, place)
  const foreign = await foreignRepository(git, place, known)
  if (foreign !== null) return `${foreign} is a repository that does not belong to the worktree`
  const [changed] = await changedSubmodules(git, place)
  if (changed !== undefined) return `uncommitted changes in ${changed}`
  let count = 0
  for (const one of known) {
    const at = placeOfSubmodule(place, one)
    const commits = await git.run(at, 'rev-list', 'HEAD', '--branches', '--not', '--remotes')
    count += commits.split('\n').filter((line) => line !== '').length
  }
  if (count === 0) return null
  return count === 1
    ? 'a commit in its submodules exists nowhere else'
    : `${count} commits in its submodules exist nowhere else`
}

/**
 * The path of a nested repository whose git directory does not belong to the worktree. Null means that there is no such
 * repository. Muster runs no git there.
 */
async function foreignRepository(git: Git, place: GitPlace, known: readonly Submodule[]): Promise<string | null> {
  const top = place.workTree ?? ''
  const own = known.map((one) => ({ at: placeOfSubmodule(place, one), above: one.path }))
  for (const { at, above } of [{ at: place, above: '' }, ...own])
    for (const path of (await gitlinksOf(git, at)).map((link) => join(above, link)))
      if (!known.some((one) => one.path === path) && existsSync(join(top, path, '.git'))) return path
  return null
}

/**
 * The branch from which the worktree was made. If this branch is unknown, the commit that the repository has checked
 * out.
 */
async function baseOf(git: Git, place: GitPlace, repo: string | null): Promise<string | null> {
  const made = await readWorktree(place)
  if (typeof made?.baseBranch === 'string') return `refs/heads/${made.baseBranch}`
  const head = await git.ask(await repositoryPlace(git, repo), 'rev-parse', '--verify', '-q', 'HEAD')
  return head?.trim() ?? null
}

/**
 * Removes the record of a worktree whose folder is gone. The branch stays. Errors are ignored. Muster does not use `git
 * worktree prune`, because that would also remove the records of the user's worktrees on a disk that is not mounted.
 */
export async function forgetWorktree(repo: string, { home, board, task }: CardLocation): Promise<void> {
  const git = usersGit(home)
  try {
    const path = join(await realpath(home), 'boards', board, 'workspaces', task)
    const place = await repositoryPlace(git, repo)
    // While this process holds the lock, no other process can make the worktree again.
    await withRepository(place.common, AbortSignal.timeout(PATIENCE_MS), async () => {
      if (!existsSync(path)) await git.run(place, 'worktree', 'remove', '--force', '--force', path)
    })
  } catch {
    // After an error, git lists the worktree as missing until the user prunes its record.
  }
}
