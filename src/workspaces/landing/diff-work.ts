/** The changes of a worktree card since its branch left its base. They are the same before and after landing. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { BoardError, isDiskFull } from '../../core/errors.ts'
import { usersGit } from '../git/git.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { commitAt, landingNote } from './land-branch.ts'
import { placeOfWorktree, repositoryPlace } from '../git/repository.ts'
import { WorkspaceFault } from '../workspace-fault.ts'
import { readWorkTree } from '../git/work-tree-state.ts'

export interface DiffRequest {
  readonly home: string
  readonly card: string
  readonly repo: string
  readonly branch: string
  /** The worktree's folder, which may no longer exist. */
  readonly path: string
  readonly base: string | null
  readonly baseBranch: string | null
  /** The commit of the card's branch that landed last; null if none has landed. */
  readonly landedTip: string | null
  readonly patch: boolean
}

export interface FileChange {
  readonly path: string
  /** Null for a binary file. */
  readonly added: number | null
  readonly removed: number | null
}

export interface WorkDiff {
  readonly base: string
  readonly head: string
  readonly files: readonly FileChange[]
  readonly patch: string | null
}

const QUIET = ['--no-ext-diff', '--no-textconv', '--no-color'] as const
const INDEX = 'muster-diff-index'

export async function diffWork(request: DiffRequest): Promise<WorkDiff> {
  const git = usersGit(request.home)
  const place = await repositoryPlace(git, request.repo)
  const tip = (await commitAt(git, place, `refs/heads/${request.branch}`)) ?? request.landedTip
  if (tip === null)
    throw new BoardError(
      'diff_refused',
      `Branch ${request.branch} of ${request.card} does not exist: there is nothing to show.`,
    )
  const base = await baseOf(git, place, { ...request, tip })
  const tree = await presentTree(git, request)
  const range = [base, tree ?? tip] as const
  const counted = await git.run(place, 'diff', '--numstat', '-z', '--no-renames', ...QUIET, ...range)
  const patch = request.patch ? await git.run(place, 'diff', ...QUIET, ...range) : null
  return { base, head: tip, files: parseCounts(counted), patch }
}

/**
 * Finds the commit to compare with. The merge base comes first, because the base branch may have been merged into the
 * card's branch since. If it is the tip, the card's branch was merged into the base branch, and the recorded base is
 * used.
 */
async function baseOf(git: Git, place: GitPlace, request: DiffRequest & { readonly tip: string }): Promise<string> {
  const { card, tip, base, baseBranch } = request
  const onto = await commitAt(git, place, landingNote(card, 'onto'))
  const other = onto ?? (baseBranch === null ? null : await commitAt(git, place, `refs/heads/${baseBranch}`))
  const met = other === null ? null : ((await git.ask(place, 'merge-base', other, tip))?.trim() ?? null)
  if (met !== null && met !== tip) return met
  return base ?? met ?? tip
}

/**
 * The files in the worktree, including uncommitted ones, as a tree. Null if the worktree is gone or has unresolved
 * conflicts.
 */
async function presentTree(git: Git, { repo, path }: DiffRequest): Promise<string | null> {
  const place = existsSync(path) ? await placeOfWorktree(git, { repo, path }) : null
  if (place === null) return null
  try {
    const { tree, index } = await readWorkTree(git, place, `${INDEX}-${process.pid}`)
    await rm(index, { force: true })
    return tree
  } catch (error) {
    if (error instanceof WorkspaceFault && !isDiskFull(error)) return null
    throw error
  }
}

function parseCounts(output: string): readonly FileChange[] {
  const number = (text: string | undefined): number | null => (text === '-' ? null : Number(text))
  return output
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const [added, removed, ...path] = line.split('\t')
      return { path: path.join('\t'), added: number(added), removed: number(removed) }
    })
}
