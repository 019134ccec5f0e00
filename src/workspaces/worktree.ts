/**
 * A worktree of the user's repository, made for one card:
 *   absent → made (by git, files linked and copied) → ready (set up, handed to an agent) → used again by every later run
 * What was cut off before it was ready has seen no agent, and is made anew.
 */
import { existsSync } from 'node:fs'
import { lstat, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readFile, writeFile } from '../util/guarded-files.ts'
import type { Git } from './git.ts'
import { bringFiles } from './ignored-files.ts'
import type { Ignored } from './ignored-files.ts'
import { findRepository } from './repository.ts'
import type { Repository } from './repository.ts'
import { withRepository } from './repository-lock.ts'
import { WorkspaceFault } from './workspace-fault.ts'

export interface WorktreeWish {
  readonly repo: string | null
  /** Where it shall be; the folder above it is there. */
  readonly path: string
  readonly branch: string
  readonly ignored: Ignored
}

export interface Worktree {
  readonly branch: string
  /** The commit that its work begins from, and the branch that this was on. */
  readonly base: string
  readonly baseBranch: string | null
  /** What its user may want to know: changes that are not in it, files that were not there. */
  readonly notes: readonly string[]
}

/** In git's own folder of the worktree: no agent finds it among its files, and it goes when the worktree goes. */
const READY = 'muster-ready.json'

/** The worktree as it was made, or null when there is none that an agent has seen or may see. */
export async function findWorktree(git: Git, { path }: Pick<WorktreeWish, 'path'>): Promise<Worktree | null> {
  if (!existsSync(join(path, '.git'))) return null
  const folder = await git.ask(path, 'rev-parse', '--absolute-git-dir')
  const text = folder === null ? null : await readFile(join(folder.trim(), READY), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Worktree)
}

export async function makeWorktree(git: Git, wish: WorktreeWish, signal: AbortSignal): Promise<Worktree> {
  const repository = await findRepository(git, wish.repo)
  if ((await git.ask(repository.path, 'check-ref-format', '--branch', wish.branch)) === null)
    throw new WorkspaceFault(`${wish.branch} cannot be the name of a branch.`)
  const base = await withRepository(repository.common, signal, async () => {
    await clearPlace(git, repository, wish.path)
    return add(git, repository, wish)
  })
  // These may come from far away: nobody else waits for them.
  await fillSubmodules(git, repository, wish.path)
  const notes = [
    ...(await unfinishedWork(git, repository)),
    ...(await bringFiles(git, { from: repository.checkout, to: wish.path, ...wish.ignored })),
  ]
  return { branch: wish.branch, base, baseBranch: repository.branch, notes }
}

/** From here on it is used as it is, whatever an agent makes of it. */
export async function markReady(git: Git, path: string, worktree: Worktree): Promise<void> {
  const folder = (await git.run(path, 'rev-parse', '--absolute-git-dir')).trim()
  await writeFile(join(folder, READY), `${JSON.stringify(worktree)}\n`, { mode: 0o600, flush: true })
}

interface Entry {
  readonly path: string
  readonly branch: string | null
}

/** In lines: the git of systems still in use cannot end them with NUL. */
async function entriesOf(git: Git, { path }: Repository): Promise<readonly Entry[]> {
  const listed = await git.run(path, 'worktree', 'list', '--porcelain')
  return listed
    .split('\n\n')
    .map((block) => new Map(block.split('\n').map((line) => splitOnce(line))))
    .flatMap((fields) => {
      const at = fields.get('worktree')
      return at === undefined || fields.has('bare') ? [] : [{ path: at, branch: fields.get('branch') ?? null }]
    })
}

const splitOnce = (line: string): [string, string] => {
  const at = line.indexOf(' ')
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)]
}

/** What was begun there and never handed over, by us. Anything else is left alone and named. */
async function clearPlace(git: Git, repository: Repository, path: string): Promise<void> {
  const real = join(await realpath(dirname(path)), basename(path))
  const isOurs = (await entriesOf(git, repository)).some((entry) => entry.path === real)
  const found = await lstat(path).catch(() => null)
  if (isOurs && (found === null || found.isDirectory())) {
    // Twice: git locks a worktree while it makes it, and whoever made this one is gone.
    await git.run(repository.path, 'worktree', 'remove', '--force', '--force', real)
    return
  }
  if (found === null) return
  const isEmpty = found.isDirectory() && (await readdir(path)).length === 0
  if (!isEmpty) throw new WorkspaceFault(`${path} is in the way of the worktree: move it aside.`)
}

/** The commit it begins from. */
async function add(git: Git, repository: Repository, { path, branch }: WorktreeWish): Promise<string> {
  const ref = `refs/heads/${branch}`
  const elsewhere = (await entriesOf(git, repository)).find((entry) => entry.branch === ref)
  if (elsewhere !== undefined)
    throw new WorkspaceFault(
      `Branch ${branch} is checked out in ${elsewhere.path}: switch that to another branch, or give the card another one.`,
    )
  const isThere = (await git.ask(repository.path, 'show-ref', '--verify', '--quiet', ref)) !== null
  const { head } = repository
  // Without tracking nothing is written to the configuration, which has one lock for everybody.
  const what = isThere ? [path, branch] : ['--no-track', '-b', branch, path, head]
  await git.run(repository.path, 'worktree', 'add', '--quiet', ...what)
  if (!isThere) return head
  return (await git.ask(repository.path, 'merge-base', head, ref))?.trim() ?? head
}

/** Those that the user's own checkout has: git leaves them empty in a worktree. */
async function fillSubmodules(git: Git, { path: repo }: Repository, path: string): Promise<void> {
  if (!existsSync(join(path, '.gitmodules'))) return
  const known = await git.ask(repo, 'config', '--name-only', '--get-regexp', String.raw`^submodule\..*\.url$`)
  const named = await git.ask(
    path,
    'config',
    '--file',
    '.gitmodules',
    '--get-regexp',
    String.raw`^submodule\..*\.path$`,
  )
  const used = new Set((known ?? '').split('\n').map((key) => key.replace(/\.url$/, '')))
  const paths = (named ?? '')
    .split('\n')
    .map(splitOnce)
    .filter(([key, where]) => where !== '' && used.has(key.replace(/\.path$/, '')))
    .map(([, where]) => where)
  if (paths.length === 0) return
  try {
    await git.run(path, 'submodule', '--quiet', 'update', '--init', '--recursive', '--', ...paths)
  } catch (error) {
    if (!(error instanceof WorkspaceFault)) throw error
    throw new WorkspaceFault(`Its submodules (${paths.join(', ')}) cannot be fetched: ${error.message}`, {
      cause: error.cause,
    })
  }
}

/** A worktree begins from a commit: what the user has not committed is not in it. */
async function unfinishedWork(git: Git, { checkout }: Repository): Promise<string[]> {
  const changes = checkout === null ? null : await git.ask(checkout, 'status', '--porcelain', '--untracked-files=no')
  const count = (changes ?? '').split('\n').filter((line) => line !== '').length
  return count === 0 ? [] : [`${count} uncommitted ${count === 1 ? 'change' : 'changes'} of ${checkout} not in it`]
}
