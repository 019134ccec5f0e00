/**
 * Puts the work of a card on a branch of its repository. The new commit is made first, without touching the user's
 * branches, index or files. The commit is noted under refs/muster/landing/<card>. Then the checkout of the branch is
 * updated, and the branch is moved. The branch moves only if no other process has moved it. After a crash at any point,
 * a second call finds its commit by the note and continues.
 */
import { BoardError } from '../../core/errors.ts'
import { usersGit } from '../git/git.ts'
import { GitFault } from '../git/git-process.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { isAncestor, makeLanding } from './landing-commit.ts'
import type { Strategy } from './landing-commit.ts'
import { fileFault } from '../managed-folder.ts'
import { withLandingNote } from './open-landings.ts'
import { landingGit } from '../git/orphaned-git.ts'
import { findRepository, repositoryPlace } from '../git/repository.ts'
import type { Repository } from '../git/repository.ts'
import { RepositoryBusy, withRepository } from '../git/repository-lock.ts'
import type { RepositoryHold } from '../git/repository-lock.ts'
import { findTarget, finishUpdate, updateCheckout } from './target-checkout.ts'

export interface LandRequest {
  readonly home: string
  readonly card: string
  readonly repo: string
  /** The card's branch. */
  readonly branch: string
  /** The commit from which the branch started. */
  readonly base: string | null
  /** The branch on which the work lands. */
  readonly into: string
  readonly strategy: Strategy
  readonly message: string
}

export const LANDINGS = ['landed', 'already_landed', 'nothing_to_land'] as const

export interface LandedWork {
  readonly commit: string
  readonly tip: string
  readonly outcome: (typeof LANDINGS)[number]
}

const PATIENCE_MS = 30_000
const NOTES = ['commit', 'tip', 'onto'] as const
export const landingNote = (card: string, what: (typeof NOTES)[number]): string => `refs/muster/landing/${card}/${what}`

const refused = (message: string): BoardError => new BoardError('land_refused', message)

export async function landBranch(request: LandRequest): Promise<LandedWork> {
  const repository = await findRepository(usersGit(request.home), request.repo)
  const git = landingGit(request.home, repository.common)
  try {
    return await withRepository(repository.common, AbortSignal.timeout(PATIENCE_MS), (hold) =>
      withLandingNote(request.home, repository.path, () => landOnTarget(git, repository, { ...request, hold })),
    )
  } catch (error) {
    if (error instanceof RepositoryBusy)
      throw new BoardError('directory_busy', `Another Muster process uses ${repository.path}: try again.`)
    throw fileFault(error, repository.path)
  }
}

interface HeldRequest extends LandRequest {
  readonly hold: RepositoryHold
}

async function landOnTarget(git: Git, repository: Repository, request: HeldRequest): Promise<LandedWork> {
  const { place } = repository
  const { card, into, base } = request
  const { tip, onto } = await findEnds(git, repository, request)
  const target = await findTarget(git, repository, into)
  if (target !== null) await finishUpdate(git, target, request)
  const before = await landedBefore(git, place, { card, onto })
  if (before?.tip === tip) return { commit: before.commit, tip, outcome: 'already_landed' }
  if (await isAncestor(git, place, tip, onto)) {
    const isUnchanged = base !== null && (await isAncestor(git, place, tip, base))
    return { commit: tip, tip, outcome: isUnchanged ? 'nothing_to_land' : 'already_landed' }
  }
  const commit = await makeLanding(git, place, { ...request, tip, onto, landedTip: before?.tip ?? null })
  await writeNotes(git, place, card, { commit, tip, onto })
  if (commit === onto) return { commit, tip, outcome: 'nothing_to_land' }
  const move = { ...request, from: onto, to: commit }
  if (target === null) await moveBranch(git, place, move)
  else await updateCheckout(git, target, { ...move, moveBranch: () => moveBranch(git, place, move) })
  return { commit, tip, outcome: 'landed' }
}

/** The latest commits of both branches. */
async function findEnds(git: Git, { place, path }: Repository, { card, branch, into }: LandRequest) {
  if (into === branch) throw refused(`${into} is the branch of ${card} itself: name another with --into.`)
  const tip = await branchAt(git, place, branch)
  if (tip === null) throw refused(`Branch ${branch} of ${card} does not exist in ${path}: nothing can land.`)
  const onto = await branchAt(git, place, into)
  if (onto === null) throw refused(`${path} has no branch "${into}": name one with --into.`)
  return { tip, onto }
}

/** The commit of a branch. Only the exact name of a branch is accepted, so `main~1` is refused. */
async function branchAt(git: Git, place: GitPlace, branch: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`
  return (await git.ask(place, 'show-ref', '--verify', '--quiet', ref)) === null ? null : commitAt(git, place, ref)
}

export const commitAt = async (git: Git, place: GitPlace, name: string): Promise<string | null> =>
  (await git.ask(place, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`))?.trim() ?? null

/** Whether the branch contains the commit. */
export async function branchHasCommit(
  home: string,
  { repo, branch, commit }: { readonly repo: string; readonly branch: string; readonly commit: string },
): Promise<boolean> {
  const git = usersGit(home)
  return isAncestor(git, await repositoryPlace(git, repo), commit, `refs/heads/${branch}`)
}

/** The last landing of the card. Null means that the target branch no longer contains its commit. */
async function landedBefore(git: Git, place: GitPlace, { card, onto }: { card: string; onto: string }) {
  const commit = await commitAt(git, place, landingNote(card, 'commit'))
  const tip = await commitAt(git, place, landingNote(card, 'tip'))
  return commit === null || tip === null || !(await isAncestor(git, place, commit, onto)) ? null : { commit, tip }
}

/** Writes all notes in one transaction. A mix of notes from two landings could make unlanded work count as landed. */
async function writeNotes(git: Git, place: GitPlace, card: string, notes: Record<(typeof NOTES)[number], string>) {
  const lines = NOTES.map((what) => `update ${landingNote(card, what)} ${notes[what]}\n`)
  await git.run({ place, stdin: lines.join('') }, 'update-ref', '--stdin')
}

interface BranchMove {
  readonly card: string
  readonly into: string
  readonly from: string
  readonly to: string
}

async function moveBranch(git: Git, place: GitPlace, { card, into, from, to }: BranchMove): Promise<void> {
  try {
    await git.run(place, 'update-ref', '-m', `muster: land ${card}`, `refs/heads/${into}`, to, from)
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    const now = await commitAt(git, place, `refs/heads/${into}`)
    // If the branch has moved, the move succeeded, although git may have been killed afterwards.
    if (now === to) return
    if (now === from) throw error
    throw new BoardError('base_moved', `Branch ${into} moved while ${card} landed: run muster land ${card} again.`)
  }
}
