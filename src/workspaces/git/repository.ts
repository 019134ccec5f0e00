/** Finds the repository of a worktree card, and reports what is wrong with it. */
import { realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Git } from './git.ts'
import { placeAround, placeAt, worktreeOf } from './git-place.ts'
import type { GitPlace } from './git-place.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

export interface Repository {
  readonly place: GitPlace
  /**
   * The path of the repository's checkout. A bare repository has no checkout, so this is the path of its git directory.
   */
  readonly path: string
  /** The folder with the files of the repository. This is null for a bare repository. */
  readonly checkout: string | null
  /** The git directory that all worktrees of the repository share. */
  readonly common: string
  readonly head: string
  /** The branch that the repository's own checkout is on. Null means that HEAD is detached. */
  readonly branch: string | null
}

export async function findRepository(git: Git, path: string | null): Promise<Repository> {
  const place = await repositoryPlace(git, path)
  const head = await git.ask(place, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head === null)
    throw new WorkspaceFault(
      `Repository ${path} has no commits yet. Make the first one: a worktree begins from a commit.`,
    )
  const branch = await git.ask(place, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  return {
    place,
    path: place.workTree ?? place.gitDir,
    checkout: place.workTree,
    common: place.common,
    head: head.trim(),
    branch: branch?.trim() ?? null,
  }
}

/** The git directory and checkout of a repository. The repository may have no commits. */
export async function repositoryPlace(git: Git, path: string | null): Promise<GitPlace> {
  if (path === null)
    throw new WorkspaceFault(
      'The card names no repository and its board has no default directory. Give it one: --workspace worktree:/path.',
    )
  const there = await stat(path).catch(() => null)
  if (there === null) throw new WorkspaceFault(`Repository ${path} does not exist. Give the card another workspace.`)
  if (!there.isDirectory()) throw new WorkspaceFault(`${path} is not a directory. Give the card another workspace.`)
  const real = await realpath(path)
  const place = await placeAt(real)
  if (place === null) throw await noRepository(real, path)
  const isBare = await isBareRepository(git, place)
  if (place.workTree === null && !isBare)
    throw new WorkspaceFault(`${path} is the git directory of a repository: name the folder that contains it.`)
  return isBare ? { ...place, workTree: null } : place
}

/** The worktree in a card's folder. Null means that the repository has no record of this worktree. */
export const placeOfWorktree = async (
  git: Git,
  { repo, path }: { readonly repo: string | null; readonly path: string },
): Promise<GitPlace | null> => worktreeOf(await repositoryPlace(git, repo), path)

/** Whether the repository is bare. A linked worktree is not bare, even if its repository is. */
async function isBareRepository(git: Git, { gitDir, common }: GitPlace): Promise<boolean> {
  if (gitDir !== common) return false
  const settings = [
    ...(await git.settings(join(common, 'config'))),
    ...(await git.settings(join(common, 'config.worktree'))),
  ]
  const bare = settings.findLast(({ name }) => name === 'core.bare')
  return bare === undefined ? basename(gitDir) !== '.git' : /^(true|yes|on|1)$/i.test(bare.value ?? 'true')
}

/**
 * The error for a folder that is not the top folder of a repository. Git would use the repository around the folder,
 * which may be the wrong one: some people keep their home folder in git.
 */
async function noRepository(real: string, path: string): Promise<WorkspaceFault> {
  const around = await placeAround(real)
  if (around?.workTree == null || real.startsWith(`${around.gitDir}/`))
    return new WorkspaceFault(`${path} is not a git repository: run git init there, or name another folder.`)
  const top = around.workTree
  return new WorkspaceFault(`${path} is a folder inside the repository ${top}: write worktree:${top}.`)
}
