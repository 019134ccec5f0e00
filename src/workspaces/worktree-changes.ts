/** What would be lost with a worktree. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cut } from '../core/text.ts'
import { GitFault, usersGit } from './git.ts'
import type { Git } from './git.ts'
import { withRepository } from './repository-lock.ts'
import type { Place } from './workspace.ts'
import { findWorktree } from './worktree.ts'

const PATIENCE_MS = 20_000

/** Everything, whatever the repository or its submodules say is better not looked at. */
const EVERYTHING = ['--untracked-files=all', '--ignore-submodules=none', '--no-renames']

/** One of them by name: it may be what nobody thought of as work. */
function uncommitted(changed: readonly string[]): string {
  const [first = ''] = changed
  const path = cut(first.slice('XY '.length), 200)
  return changed.length === 1 ? `${path} is not committed` : `${changed.length} files are not committed: ${path}, …`
}

/** Why a worktree must stay; null when nothing of it is lost with it: all committed, and its base has it. */
export async function worktreeHolds(folder: string, repo: string | null): Promise<string | null> {
  const git = usersGit()
  try {
    const changed = (await git.run(folder, 'status', '--porcelain', '-z', ...EVERYTHING))
      .split('\0')
      .filter((line) => line !== '')
    if (changed.length > 0) return uncommitted(changed)
    const base = await baseOf(git, folder, repo)
    if (base === null) return 'nothing says what its branch is to land on'
    const landed = await git.ask(folder, 'merge-base', '--is-ancestor', 'HEAD', base)
    if (landed === null) return `its commits have not landed on ${base.replace(/^refs\/heads\//, '')}`
    return await submodulesHold(git, folder)
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    return `git cannot say whether it holds changes: ${error.message.split('\n')[0]}`
  }
}

/** A submodule of a worktree has its commits beside the worktree, and they go with it: those that no remote has. */
async function submodulesHold(git: Git, folder: string): Promise<string | null> {
  if (!existsSync(join(folder, '.gitmodules'))) return null
  const asked = ['rev-list', 'HEAD', '--branches', '--not', '--remotes']
  const found = await git.run(folder, 'submodule', '--quiet', 'foreach', '--recursive', `git ${asked.join(' ')}`)
  const count = found.split('\n').filter((line) => line !== '').length
  if (count === 0) return null
  return count === 1
    ? 'a commit of its submodules is nowhere else'
    : `${count} commits of its submodules are nowhere else`
}

/** The branch it was made from, else what the repository itself has checked out. */
async function baseOf(git: Git, folder: string, repo: string | null): Promise<string | null> {
  const made = await findWorktree(git, { path: folder })
  if (typeof made?.baseBranch === 'string') return `refs/heads/${made.baseBranch}`
  const head = repo === null ? null : await git.ask(repo, 'rev-parse', '--verify', '-q', 'HEAD')
  return head?.trim() ?? null
}

/**
 * Lets git forget the worktree of a card whose folder is gone; its branch stays. Not by pruning: that would forget also
 * those of the user whose disk is away. A clean-up fails nobody.
 */
export async function forgetWorktree(repo: string, { home, board, task }: Place): Promise<void> {
  const git = usersGit()
  try {
    const path = join(await realpath(home), 'boards', board, 'workspaces', task)
    const common = await git.run(repo, 'rev-parse', '--git-common-dir')
    // Under the lock nobody makes it anew: what is not there now is not there when git looks.
    await withRepository(await realpath(resolve(repo, common.trim())), AbortSignal.timeout(PATIENCE_MS), async () => {
      if (!existsSync(path)) await git.run(repo, 'worktree', 'remove', '--force', '--force', path)
    })
  } catch {
    // It is listed as missing until git itself forgets it.
  }
}
