/**
 * Puts the work of a card on a branch of its repository:
 *   new commit made (no branch, index or file of the user touched) → noted under refs/muster/landing/<card> → branch moved,
 *   unless it moved meanwhile → checkout of that branch updated
 * After a crash at any point a second call recognises its own commit by the note and continues from there.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BoardError } from '../core/errors.ts'
import { makeCommit } from './commit-work.ts'
import { GitFault, usersGit } from './git.ts'
import type { Git } from './git.ts'
import { worktreeOf } from './git-place.ts'
import type { GitPlace } from './git-place.ts'
import { identityOf } from './git-identity.ts'
import { enterFolder } from './managed-folder.ts'
import { findRepository } from './repository.ts'
import type { Repository } from './repository.ts'
import { withRepository } from './repository-lock.ts'
import { faultReason } from './workspace-fault.ts'
import { entriesOf } from './worktree.ts'

export const STRATEGIES = ['squash', 'merge', 'rebase'] as const
export type Strategy = (typeof STRATEGIES)[number]

export interface LandWish {
  readonly home: string
  readonly card: string
  readonly repo: string
  /** The card's branch. */
  readonly branch: string
  /** The branch that gets the work. */
  readonly into: string
  readonly strategy: Strategy
  readonly message: string
}

export interface LandedWork {
  readonly commit: string
  readonly tip: string
}

const PATIENCE_MS = 30_000
export const landingNote = (card: string, what: 'commit' | 'tip' | 'onto'): string =>
  `refs/muster/landing/${card}/${what}`

const refused = (message: string, details: Record<string, unknown> = {}): BoardError =>
  new BoardError('land_refused', message, { details })

export async function landBranch(wish: LandWish): Promise<LandedWork> {
  const git = usersGit(wish.home)
  const repository = await findRepository(git, wish.repo)
  return withRepository(repository.common, AbortSignal.timeout(PATIENCE_MS), () => land(git, repository, wish))
}

async function land(git: Git, repository: Repository, wish: LandWish): Promise<LandedWork> {
  const { place } = repository
  const { card, branch, into } = wish
  const tip = await commitAt(git, place, `refs/heads/${branch}`)
  if (tip === null) throw refused(`Branch ${branch} of ${card} does not exist in ${repository.path}: nothing can land.`)
  const onto = await commitAt(git, place, `refs/heads/${into}`)
  if (onto === null) throw refused(`${repository.path} has no branch ${into}: name one with --into.`)
  const done = await landedBefore(git, place, { card, tip, onto })
  const checkout = (await entriesOf(git, repository)).find((entry) => entry.branch === `refs/heads/${into}`)
  if (done !== null) {
    if (checkout !== undefined) await finishCheckout(git, { repository, path: checkout.path, ...done })
    return { commit: done.commit, tip }
  }
  if (await isAncestor(git, place, tip, onto)) return { commit: tip, tip }
  const at = checkout === undefined ? null : await placeOfCheckout(repository, checkout.path)
  if (at !== null) await requireClean(git, at, into)
  const commit = await makeLanding(git, repository, { ...wish, tip, onto })
  if (at !== null) await requireRoom(git, at, { onto, commit })
  for (const [what, value] of Object.entries({ commit, tip, onto }))
    await git.run(place, 'update-ref', landingNote(card, what as 'commit' | 'tip' | 'onto'), value)
  await moveBranch(git, place, { into, commit, onto, card })
  if (at !== null) await git.run(at, 'read-tree', '-m', '-u', onto, commit)
  return { commit, tip }
}

export const commitAt = async (git: Git, place: GitPlace, name: string): Promise<string | null> =>
  (await git.ask(place, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`))?.trim() ?? null

const isAncestor = async (git: Git, place: GitPlace, one: string, other: string): Promise<boolean> =>
  (await git.ask(place, 'merge-base', '--is-ancestor', one, other)) !== null

interface Landing {
  readonly commit: string
  readonly onto: string
}

/** The landing of the same work by an earlier call that crashed before it reported success. */
async function landedBefore(
  git: Git,
  place: GitPlace,
  { card, tip, onto }: { card: string; tip: string; onto: string },
): Promise<Landing | null> {
  const [commit, was, from] = await Promise.all(
    (['commit', 'tip', 'onto'] as const).map((what) => commitAt(git, place, landingNote(card, what))),
  )
  if (commit == null || from == null || was !== tip || !(await isAncestor(git, place, commit, onto))) return null
  return { commit, onto: from }
}

/** Updates a checkout after its branch was moved, unless its index has changed since. */
async function finishCheckout(
  git: Git,
  { repository, path, commit, onto }: Landing & { repository: Repository; path: string },
): Promise<void> {
  const at = await placeOfCheckout(repository, path)
  const head = at === null ? null : await commitAt(git, at, 'HEAD')
  if (at === null || head !== commit) return
  if ((await git.ask(at, 'diff-index', '--cached', '--quiet', onto)) === null) return
  await git.run(at, 'read-tree', '-m', '-u', onto, commit)
}

async function placeOfCheckout({ place, common, checkout }: Repository, path: string): Promise<GitPlace | null> {
  if (path === checkout) return place
  return (await worktreeOf(place, path)) ?? { gitDir: common, common, workTree: path }
}

async function requireClean(git: Git, at: GitPlace, into: string): Promise<void> {
  const status = await git.run(at, 'status', '--porcelain', '-z', '--untracked-files=no')
  const files = status.split('\0').filter((line) => line !== '')
  if (files.length === 0) return
  const names = files.map((line) => line.slice('XY '.length))
  throw refused(
    `${at.workTree ?? ''} has ${into} checked out with uncommitted changes (${listed(names)}): commit or stash them, then land again.`,
    { files: names },
  )
}

/** Refuses if an untracked file would be overwritten. */
async function requireRoom(git: Git, at: GitPlace, { onto, commit }: Landing): Promise<void> {
  try {
    await git.run(at, 'read-tree', '-n', '-m', '-u', onto, commit)
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    throw refused(
      `${at.workTree ?? ''} cannot take the work: ${faultReason(error)}. Move the file away, then land again.`,
    )
  }
}

async function moveBranch(
  git: Git,
  place: GitPlace,
  { into, commit, onto, card }: Landing & { into: string; card: string },
): Promise<void> {
  try {
    await git.run(place, 'update-ref', '-m', `muster: land ${card}`, `refs/heads/${into}`, commit, onto)
  } catch (error) {
    if (!(error instanceof GitFault) || (await commitAt(git, place, `refs/heads/${into}`)) === onto) throw error
    throw new BoardError('base_moved', `Branch ${into} moved while ${card} landed: run muster land ${card} again.`)
  }
}

interface Making extends LandWish {
  readonly tip: string
  readonly onto: string
}

async function makeLanding(git: Git, repository: Repository, wish: Making): Promise<string> {
  const { place } = repository
  const { strategy, tip, onto, message } = wish
  if (strategy === 'rebase') return (await isAncestor(git, place, onto, tip)) ? tip : rebase(git, repository, wish)
  const tree = await mergedTree(git, place, wish)
  return makeCommit(git, place, { tree, parents: strategy === 'merge' ? [onto, tip] : [onto], message })
}

async function mergedTree(git: Git, place: GitPlace, { onto, tip, card, into, branch }: Making): Promise<string> {
  try {
    const out = await git.run(place, 'merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, tip)
    return out.split('\0')[0] ?? ''
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    if (/usage: git merge-tree|unknown (option|switch)/i.test(error.message))
      throw new BoardError(
        'not_supported',
        'Landing needs git 2.38 or newer: update git, or merge the branch yourself.',
      )
    if (error.exitCode !== 1) throw error
    const [, ...files] = error.stdout
      .toString()
      .split('\0')
      .filter((part) => part !== '')
    throw conflict({ card, into, branch }, files)
  }
}

const conflict = ({ card, into, branch }: Pick<LandWish, 'card' | 'into' | 'branch'>, files: readonly string[]) =>
  refused(
    `${card} conflicts with ${into} in ${listed(files)}. Nothing was changed: merge ${into} into ${branch} in its worktree, commit, then land again.`,
    { conflicts: files },
  )

const listed = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

/** Puts one commit after the other on top of the branch, in a temporary worktree. */
async function rebase(git: Git, { place }: Repository, wish: Making): Promise<string> {
  const { home, onto, tip } = wish
  const folder = await mkdtemp(join(await enterFolder(home, 'git'), 'rebase-'))
  const path = join(folder, 'tree')
  try {
    await git.run(place, 'worktree', 'add', '--quiet', '--no-checkout', '--detach', path, onto)
    const at = await worktreeOf(place, path)
    if (at === null) throw refused(`The worktree ${path} was removed while ${wish.card} landed: land again.`)
    await git.run(at, 'reset', '--quiet', '--hard')
    const commits = (await git.run(place, 'rev-list', '--reverse', '--no-merges', `${onto}..${tip}`)).split('\n')
    for (const commit of commits.filter((line) => line !== '')) await pick(git, at, { ...wish, commit })
    return (await commitAt(git, at, 'HEAD')) ?? onto
  } finally {
    await git.ask(place, 'worktree', 'remove', '--force', '--force', path).catch(() => null)
    await rm(folder, { recursive: true, force: true })
  }
}

async function pick(git: Git, at: GitPlace, wish: Making & { readonly commit: string }): Promise<void> {
  try {
    const env = await identityOf(git, at)
    const committer = { GIT_COMMITTER_NAME: env['GIT_COMMITTER_NAME'], GIT_COMMITTER_EMAIL: env['GIT_COMMITTER_EMAIL'] }
    await git.run(
      { place: at, env: committer },
      'cherry-pick',
      '--allow-empty',
      '--keep-redundant-commits',
      wish.commit,
    )
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    const unmerged = await git.run(at, 'diff', '--name-only', '-z', '--diff-filter=U')
    const files = unmerged.split('\0').filter((path) => path !== '')
    if (files.length === 0) throw error
    throw conflict(wish, files)
  }
}
