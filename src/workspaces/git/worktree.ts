/**
 * A worktree of the user's repository, made for one card. Git makes the worktree, and Muster links and copies ignored
 * files into it. When the setup is done, the worktree is ready, and every later run of the card uses it. A worktree
 * that was interrupted before it was ready is made again.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, realpath, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeFile } from '../../util/guarded-files.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { Git } from './git.ts'
import { gitFileOf, hasOwnGitFile, placeAt, worktreeOf, worktreesOf } from './git-place.ts'
import type { GitPlace } from './git-place.ts'
import { bringFiles } from '../files/ignored-files.ts'
import type { Ignored } from '../files/ignored-files.ts'
import { findRepository, placeOfWorktree } from './repository.ts'
import { findStart } from './start-commit.ts'
import type { Repository } from './repository.ts'
import { withRepository } from './repository-lock.ts'
import { WorkspaceBusy, WorkspaceFault } from '../workspace-fault.ts'

export interface WorktreeRequest {
  readonly repo: string | null
  /** The path of the worktree. Its parent folder must exist. */
  readonly path: string
  readonly branch: string
  /**
   * The branch, tag or commit from which the worktree starts. If this is absent or null, the worktree starts from the
   * commit that the repository has checked out.
   */
  readonly base?: string | null
  readonly ignored: Ignored
}

export interface Worktree {
  readonly branch: string
  /** The commit on which the work in the worktree is based, and the branch on which the work lands by default. */
  readonly base: string
  readonly baseBranch: string | null
  /** Notes for the user about missing changes and files. */
  readonly notes: readonly string[]
}

/**
 * The file that marks a worktree as ready. The file is in the git directory of the worktree, so agents do not see it,
 * and it is removed with the worktree.
 */
const READY = 'muster-ready.json'
export const HEADS = 'refs/heads/'

/** The ready worktree, with the data from the time when it was made. Null means that no worktree is ready. */
export async function findWorktree(
  git: Git,
  request: Pick<WorktreeRequest, 'repo' | 'path'>,
): Promise<Worktree | null> {
  if (request.repo === null || !existsSync(request.path)) return null
  const place = await placeOfWorktree(git, request)
  return place === null ? null : readWorktree(place)
}

export async function readWorktree({ gitDir }: GitPlace): Promise<Worktree | null> {
  const text = await readIfExists(join(gitDir, READY))
  return text === null ? null : (JSON.parse(text) as Worktree)
}

export async function makeWorktree(git: Git, request: WorktreeRequest, signal: AbortSignal): Promise<Worktree> {
  const repository = await findRepository(git, request.repo)
  if ((await git.ask(repository.place, 'check-ref-format', `refs/heads/${request.branch}`)) === null)
    throw new WorkspaceFault(`${request.branch} is not a valid branch name. Give the card another branch.`)
  // The base is fetched before the lock is taken, because fetching may take long.
  const start = await findStart(git, repository, request.base ?? null)
  const { base, place } = await withRepository(repository.common, signal, async () => {
    await clearPlace(git, repository, request.path)
    return add(git, { ...repository, head: start.commit }, request)
  })
  // Submodules are fetched after the lock is released, because fetching may take long.
  await fillSubmodules(git, repository, place)
  const notes = [
    ...start.notes,
    ...(await unfinishedWork(git, repository)),
    ...(await bringFiles(git, { from: repository.checkout, to: place, ...request.ignored })),
  ]
  return { branch: request.branch, base, baseBranch: start.branch, notes }
}

/** Removes a worktree that was not finished, so that its branch can be used again. */
export async function discardUnfinished(git: Git, request: WorktreeRequest, signal: AbortSignal): Promise<void> {
  const repository = await findRepository(git, request.repo)
  await withRepository(repository.common, signal, () => clearPlace(git, repository, request.path))
}

/**
 * Marks the worktree as ready. From now on, every run uses the worktree as it is, with all changes that agents have
 * made.
 */
export async function markReady(git: Git, request: Pick<WorktreeRequest, 'repo' | 'path'>, worktree: Worktree) {
  const place = await placeOfWorktree(git, request)
  if (place === null) throw new WorkspaceFault(`Worktree ${request.path} was removed meanwhile.`)
  await writeFile(join(place.gitDir, READY), `${JSON.stringify(worktree)}\n`, { mode: 0o600, flush: true })
}

/**
 * Makes the `.git` file of a worktree point to its own git directory again. An agent may have changed the file, and the
 * next agent's git commands would follow it. If `.git` is a folder, it may contain commits, so Muster does not touch
 * it.
 */
export async function restoreGitFile(place: GitPlace): Promise<void> {
  if (place.workTree === null || (await hasOwnGitFile(place))) return
  const path = join(place.workTree, '.git')
  if ((await lstat(path).catch(() => null))?.isDirectory() === true)
    throw new WorkspaceFault(`${path} is now a separate repository, which Muster does not use. Move that folder away.`)
  const part = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(part, gitFileOf(place), { flag: 'wx' })
  await rename(part, path)
}

export interface WorktreeEntry {
  readonly place: GitPlace
  readonly path: string
  readonly branch: string | null
}

/** Each checkout of the repository, with its branch. */
export async function allWorktrees(
  git: Git,
  { place, checkout, common }: Repository,
): Promise<readonly WorktreeEntry[]> {
  const main = common === place.gitDir ? checkout : await mainCheckout(common)
  const linked = (await worktreesOf(place)).map(({ gitDir, workTree }) => ({ gitDir, common, workTree }))
  const all = main === null ? linked : [{ gitDir: common, common, workTree: main }, ...linked]
  return Promise.all(
    all.map(async (one) => {
      const head = await git.ask({ place: one, cwd: common }, 'symbolic-ref', '--quiet', 'HEAD')
      return { place: one, path: one.workTree, branch: head?.trim() ?? null }
    }),
  )
}

/** The main checkout of a repository. Null means that the git directory is not the `.git` folder in a checkout. */
async function mainCheckout(common: string): Promise<string | null> {
  const folder = dirname(common)
  return (await placeAt(folder))?.gitDir === common ? folder : null
}

/** Removes a worktree that was never finished. Throws an error if the path is used for anything else. */
async function clearPlace(git: Git, { place }: Repository, path: string): Promise<void> {
  const unfinished = await worktreeOf(place, path)
  const found = await lstat(path).catch(() => null)
  if (unfinished !== null && (found === null || found.isDirectory())) {
    if (found !== null) await restoreGitFile(unfinished)
    // While git creates a worktree, it locks the worktree. Git removes a locked worktree only with two `--force`. The
    // process that was creating this worktree has died.
    await git.run(place, 'worktree', 'remove', '--force', '--force', unfinished.workTree ?? path)
    return
  }
  if (found === null) return
  const isEmpty = found.isDirectory() && (await readdir(path)).length === 0
  if (!isEmpty) throw new WorkspaceFault(`${path} already exists, so no worktree can be made there: move it away.`)
}

/** Makes the worktree. Returns the commit from which it starts, and its git directory. */
async function add(git: Git, repository: Repository, { path, branch }: WorktreeRequest) {
  const ref = HEADS + branch
  const { head, place: at, common } = repository
  await requireFree(git, repository, { path, ref })
  const hasBranch = (await git.ask(at, 'show-ref', '--verify', '--quiet', ref)) !== null
  // `--no-track` keeps git from changing the configuration.
  const target = hasBranch ? [path, branch] : ['--no-track', '-b', branch, path, head]
  await mkdir(join(common, 'worktrees'), { recursive: true })
  await git.run(at, 'worktree', 'add', '--quiet', '--no-checkout', ...target)
  const place = await worktreeOf(at, path)
  if (place === null) throw new WorkspaceFault(`Worktree ${path} was removed meanwhile.`)
  // Git wrote the path of the safe common directory into the `.git` file. This call corrects the file.
  await restoreGitFile(place)
  await git.run(place, 'reset', '--quiet', '--hard')
  const base = hasBranch ? await git.ask(at, 'merge-base', head, ref) : null
  return { base: base?.trim() ?? head, place }
}

/**
 * Throws an error that makes the card wait if another worktree is on the branch. If the other worktree is Muster's own
 * and its folder is gone, only its record is removed.
 */
async function requireFree(
  git: Git,
  repository: Repository,
  { path, ref }: { readonly path: string; readonly ref: string },
): Promise<void> {
  const elsewhere = (await allWorktrees(git, repository)).find((entry) => entry.branch === ref)
  if (elsewhere === undefined) return
  const isOurs = dirname(elsewhere.path) === (await realpath(dirname(path)))
  if (isOurs && !existsSync(elsewhere.path)) {
    await git.run(repository.place, 'worktree', 'remove', '--force', '--force', elsewhere.path)
    return
  }
  throw new WorkspaceBusy(
    `Branch ${ref.slice(HEADS.length)} is checked out in ${elsewhere.path}. Switch that folder to another branch, or give the card another branch.`,
  )
}

/** Throws an error if a worktree that another card made is no longer on the branch that both cards share. */
export async function requireBranch(git: Git, place: GitPlace, branch: string): Promise<void> {
  const head = await git.ask(place, 'symbolic-ref', '--quiet', 'HEAD')
  if (head?.trim() !== HEADS + branch)
    throw new WorkspaceBusy(`The worktree ${place.workTree} is not on branch ${branch}. Switch it back.`)
}

/** Fetches the submodules that the user's own checkout has. Git leaves them empty in a new worktree. */
async function fillSubmodules(git: Git, { common }: Repository, place: GitPlace): Promise<void> {
  const path = place.workTree ?? ''
  const known = await git.settings(join(common, 'config'))
  const used = new Set(known.flatMap(({ name }) => /^(submodule\..*)\.url$/s.exec(name)?.[1] ?? []))
  if (used.size === 0) return
  const paths = (await git.settings(join(path, '.gitmodules'))).flatMap(({ name, value }) => {
    const [, module] = /^(submodule\..*)\.path$/s.exec(name) ?? []
    return module !== undefined && used.has(module) && value !== null ? [value] : []
  })
  if (paths.length === 0) return
  try {
    await git.run(place, 'submodule', '--quiet', 'update', '--init', '--recursive', '--', ...paths)
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    throw new WorkspaceFault(`Its submodules (${paths.join(', ')}) cannot be fetched: ${error.message}`, {
      cause: error.cause,
    })
  }
}

/**
 * Describes the user's uncommitted changes in a note. They are missing in the worktree, because a worktree starts from
 * a commit.
 */
async function unfinishedWork(git: Git, { checkout, place }: Repository): Promise<string[]> {
  const changes = checkout === null ? null : await git.ask(place, 'status', '--porcelain', '--untracked-files=no')
  const count = (changes ?? '').split('\n').filter((line) => line !== '').length
  return count === 0 ? [] : [`not included: ${count} uncommitted ${count === 1 ? 'change' : 'changes'} of ${checkout}`]
}
