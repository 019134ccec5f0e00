/**
 * Makes the commit that a landing puts on a branch. This step only adds objects to the repository; branches, index and
 * files stay unchanged.
 */
import { BoardError } from '../../core/errors.ts'
import { makeCommit } from './commit-work.ts'
import { GitFault } from '../git/git-process.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'

export const STRATEGIES = ['squash', 'merge', 'rebase'] as const
export type Strategy = (typeof STRATEGIES)[number]

export interface LandingRequest {
  readonly card: string
  /** The card's branch and its latest commit. */
  readonly branch: string
  readonly tip: string
  /** The branch on which the work lands, followed by its latest commit. */
  readonly into: string
  readonly onto: string
  readonly strategy: Strategy
  readonly message: string
  /**
   * The commit of the card's branch that landed last on the same branch. Null means that no commit has landed on this
   * branch.
   */
  readonly landedTip: string | null
}

/** Returns the new commit. If `onto` already contains all of the work, returns `onto`. */
export async function makeLanding(git: Git, place: GitPlace, request: LandingRequest): Promise<string> {
  const { strategy, tip, onto, message } = request
  if (strategy === 'rebase') return (await isAncestor(git, place, onto, tip)) ? tip : rebase(git, place, request)
  const base = strategy === 'merge' ? null : await landedBase(git, place, request)
  const tree = await mergeOrRefuse(git, place, { base, ours: onto, theirs: tip }, request)
  if (strategy === 'merge') return makeCommit(git, place, { tree, parents: [onto, tip], message })
  return tree === (await treeOf(git, place, onto)) ? onto : makeCommit(git, place, { tree, parents: [onto], message })
}

export const isAncestor = async (git: Git, place: GitPlace, one: string, other: string): Promise<boolean> =>
  (await git.ask(place, 'merge-base', '--is-ancestor', one, other)) !== null

const treeOf = async (git: Git, place: GitPlace, commit: string): Promise<string> =>
  (await git.run(place, 'rev-parse', '--verify', '--quiet', `${commit}^{tree}`)).trim()

/**
 * Finds the merge base if earlier work of the branch has landed by a squash or rebase. Git has no record of such a
 * landing. It would merge the earlier work again, and later changes of the same lines would conflict. Returns null if
 * git's own merge base is right.
 */
async function landedBase(git: Git, place: GitPlace, { landedTip, tip, onto }: LandingRequest): Promise<string | null> {
  if (landedTip === null || !(await isAncestor(git, place, landedTip, tip))) return null
  const met = (await git.ask(place, 'merge-base', onto, tip))?.trim()
  return met !== undefined && (await isAncestor(git, place, met, landedTip)) ? landedTip : null
}

interface Merge {
  /** The merge base. Null means that git finds the base in the history. */
  readonly base: string | null
  readonly ours: string
  readonly theirs: string
}

async function mergeOrRefuse(git: Git, place: GitPlace, merge: Merge, request: LandingRequest): Promise<string> {
  const { ours, theirs } = merge.base === null ? merge : await withBase(git, place, merge, merge.base)
  try {
    const out = await git.run(place, 'merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs)
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
    throw conflict(request, [...new Set(files)])
  }
}

/**
 * Merges with a given base. Git before 2.40 does not accept a base as an argument. So both sides get new commits with
 * the same trees, and the parent of both is a commit of the base.
 */
async function withBase(git: Git, place: GitPlace, { ours, theirs }: Merge, base: string) {
  const message = 'for a merge\n'
  const commit = async (of: string, parents: readonly string[]): Promise<string> =>
    makeCommit(git, place, { tree: await treeOf(git, place, of), parents, message })
  const root = await commit(base, [])
  return { ours: await commit(ours, [root]), theirs: await commit(theirs, [root]) }
}

const conflict = ({ card, into, branch }: LandingRequest, conflicts: readonly string[]): BoardError =>
  new BoardError(
    'land_refused',
    `${card} conflicts with ${into} in ${listedNames(conflicts)}. Nothing was changed: merge ${into} into ${branch} in its worktree, commit, then land again.`,
    { details: { conflicts } },
  )

export const listedNames = (names: readonly string[]): string =>
  names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')

/**
 * Copies the commits one by one onto the branch. Commits whose changes the branch already has are left out, as in `git
 * rebase`.
 */
async function rebase(git: Git, place: GitPlace, request: LandingRequest): Promise<string> {
  const { onto, tip } = request
  const landed = await landedBase(git, place, request)
  const range = [`${onto}..${tip}`, ...(landed === null ? [] : [`^${landed}`])]
  const commits = (await git.run(place, 'rev-list', '--reverse', '--topo-order', '--no-merges', ...range)).split('\n')
  let head = onto
  for (const commit of commits.filter((line) => line !== '')) head = await pick(git, place, { head, commit }, request)
  return head
}

async function pick(
  git: Git,
  place: GitPlace,
  { head, commit }: { readonly head: string; readonly commit: string },
  request: LandingRequest,
): Promise<string> {
  const parent = (await git.ask(place, 'rev-parse', '--verify', '--quiet', `${commit}^`))?.trim()
  // The commit has no parent if it is the first commit of a history.
  const base = parent ?? (await emptyCommit(git, place))
  const tree = await mergeOrRefuse(git, place, { base, ours: head, theirs: commit }, request)
  if (
    tree === (await treeOf(git, place, head)) &&
    (await treeOf(git, place, commit)) !== (await treeOf(git, place, base))
  )
    return head
  const shown = await git.run(place, 'show', '--no-patch', '--date=raw', '--format=%an%x00%ae%x00%ad%x00%B', commit)
  const [name = '', email = '', date = '', message = ''] = shown.split('\0')
  return makeCommit(git, place, { tree, parents: [head], message, author: { name, email, date } })
}

async function emptyCommit(git: Git, place: GitPlace): Promise<string> {
  const tree = (await git.run({ place, stdin: '' }, 'mktree')).trim()
  return makeCommit(git, place, { tree, parents: [], message: 'nothing\n' })
}
