/**
 * Gives a person access to the files of a worktree card: in its worktree, or by switching the user's own checkout to
 * the branch.
 */
import { existsSync } from 'node:fs'
import { BoardError } from '../../core/errors.ts'
import { usersGit } from '../git/git.ts'
import { placeOfWorktree, repositoryPlace } from '../git/repository.ts'
import { scratchPath } from '../workspace.ts'
import type { CardLocation } from '../workspace.ts'
import { forgetWorktree } from '../git/worktree-changes.ts'

export interface CheckoutRequest {
  readonly card: string
  readonly repo: string
  readonly branch: string
  /** The card whose folder contains the worktree. */
  readonly place: CardLocation
}

export interface CheckedOut {
  readonly path: string
  /** Whether Muster switched the user's checkout to the branch. */
  readonly switched: boolean
}

export async function checkoutWork({ card, repo, branch, place: owner }: CheckoutRequest): Promise<CheckedOut> {
  const git = usersGit(owner.home)
  const path = scratchPath(owner)
  if (existsSync(path) && (await placeOfWorktree(git, { repo, path })) !== null) return { path, switched: false }
  const place = await repositoryPlace(git, repo)
  if (place.workTree === null) throw refused(`${repo} is bare, so ${branch} of ${card} cannot be checked out in it.`)
  if ((await git.ask(place, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) === null)
    throw refused(`Branch ${branch} of ${card} does not exist in ${repo}.`)
  const changed = await git.run(place, 'status', '--porcelain', '--untracked-files=no')
  if (changed.trim() !== '') throw refused(`${repo} has uncommitted changes: commit or stash them first.`)
  // Git refuses to check out the branch while it has a record of the missing worktree.
  if (!existsSync(path)) await forgetWorktree(repo, owner)
  await git.run(place, 'checkout', '--quiet', branch)
  return { path: place.workTree, switched: true }
}

const refused = (message: string): BoardError => new BoardError('checkout_refused', message)
