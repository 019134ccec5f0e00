/** The repository that a worktree card names, and everything that may be wrong with it. */
import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { GitFault } from './git.ts'
import type { Git } from './git.ts'
import { WorkspaceFault } from './workspace-fault.ts'

export interface Repository {
  /** Where git is asked: its checkout, or itself where it has none. */
  readonly path: string
  /** Its files; null for a bare one. */
  readonly checkout: string | null
  /** What all its worktrees share. */
  readonly common: string
  readonly head: string
  /** The branch that its own checkout is on; null when on none. */
  readonly branch: string | null
}

export async function findRepository(git: Git, path: string | null): Promise<Repository> {
  if (path === null)
    throw new WorkspaceFault(
      'The card names no repository and its board has no default directory: make it again with --workspace worktree:/path.',
    )
  const there = await stat(path).catch(() => null)
  if (there === null) throw new WorkspaceFault(`Repository ${path} is not there.`)
  if (!there.isDirectory()) throw new WorkspaceFault(`${path} is no directory, so no repository.`)
  const real = await realpath(path)
  const [isBare, isInside, common = ''] = (await describe(git, real)).split('\n')
  const bare = isBare === 'true'
  if (!bare && isInside === 'true')
    throw new WorkspaceFault(`${path} is the inside of a repository: name the folder that holds it.`)
  if (!bare) await checkTop(git, real, path)
  const head = await git.ask(real, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head === null)
    throw new WorkspaceFault(`Repository ${path} has no commits yet: a worktree begins from one, so make the first.`)
  const branch = await git.ask(real, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  return {
    path: real,
    checkout: bare ? null : real,
    common: await realpath(resolve(real, common)),
    head: head.trim(),
    branch: branch?.trim() ?? null,
  }
}

async function describe(git: Git, path: string): Promise<string> {
  try {
    return await git.run(path, 'rev-parse', '--is-bare-repository', '--is-inside-git-dir', '--git-common-dir')
  } catch (error) {
    if (error instanceof GitFault && /not a git repository/i.test(error.message))
      throw new WorkspaceFault(`${path} is not a git repository: git init there, or name another.`)
    throw error
  }
}

/** A folder of another repository, such as a home that is kept in git, is not meant. */
async function checkTop(git: Git, real: string, path: string): Promise<void> {
  const top = await realpath((await git.run(real, 'rev-parse', '--show-toplevel')).replace(/\n$/, ''))
  if (top !== real) throw new WorkspaceFault(`${path} is a folder within the repository ${top}: write worktree:${top}.`)
}
