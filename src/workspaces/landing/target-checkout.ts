/**
 * Updates the branch on which the work lands, together with its checkout. The index is locked, and the checkout must be
 * clean. Then the intent file is written, the files are updated with a copy of the index, the branch is moved, and the
 * copy is renamed to the index. At last, the intent and the lock are removed. HEAD and the index differ only between
 * the last two steps, while the index is locked.
 *
 * Until the branch moves, everything can be undone. After that, only the index must still be replaced. So an
 * interrupted update can always be finished or undone, independent of the user's edits since. The landing itself does
 * this, or else the next landing, dispatcher, `diff` or `checkout`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BoardError, isDiskFull } from '../../core/errors.ts'
import { readIfExists } from '../../util/replace-file.ts'
import { GitFault } from '../git/git-process.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { hasLeftLock, lockIndex } from '../git/index-lock.ts'
import type { IndexLock, LockedCheckout, LockRequest } from '../git/index-lock.ts'
import { listedNames } from './landing-commit.ts'
import { hasIntent, readIntent, removeIntent, writeIntent } from './landing-intent.ts'
import type { Update } from './landing-intent.ts'
import { endOrphans } from '../git/orphaned-git.ts'
import type { Repository } from '../git/repository.ts'
import type { RepositoryHold } from '../git/repository-lock.ts'
import { completeOrUndoUpdate } from './complete-or-undo-update.ts'
import { WorkspaceFault, faultReason } from '../workspace-fault.ts'
import { allWorktrees } from '../git/worktree.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const refused = (message: string, details: Record<string, unknown> = {}): BoardError =>
  new BoardError('land_refused', message, { details })

/**
 * The checkout of a branch. Null means that no checkout is on the branch. Throws an error while a rebase or merge of
 * the branch is in progress.
 */
export async function findTarget(git: Git, repository: Repository, branch: string): Promise<GitPlace | null> {
  const entries = await allWorktrees(git, repository)
  for (const { place } of entries) {
    const rebased = await Promise.all(['rebase-merge', 'rebase-apply'].map((name) => headName(place, name)))
    if (rebased.includes(`refs/heads/${branch}`)) throw underWay(place, 'rebase')
  }
  const at = entries.find((entry) => entry.branch === `refs/heads/${branch}`)?.place
  if (at === undefined) return null
  if (at.workTree !== null && !existsSync(at.workTree))
    throw refused(
      `${branch} is checked out in ${at.workTree}, which does not exist: run git worktree prune, then land again.`,
    )
  const found = Object.entries(UNDER_WAY).find(([name]) => existsSync(join(at.gitDir, name)))
  if (found !== undefined) throw underWay(at, found[1])
  return at
}

/**
 * The files that git keeps during the user's merge, cherry-pick, revert or `am`, each with the name of the operation.
 */
const UNDER_WAY = { MERGE_HEAD: 'merge', CHERRY_PICK_HEAD: 'cherry-pick', REVERT_HEAD: 'revert', 'rebase-apply': 'am' }

const underWay = ({ workTree }: GitPlace, what: string): BoardError =>
  refused(`A ${what} is under way in ${workTree ?? ''}: finish it, or run git ${what} --abort there, then land again.`)

const headName = async ({ gitDir }: GitPlace, folder: string): Promise<string | null> =>
  (await readIfExists(join(gitDir, folder, 'head-name')))?.trim() ?? null

interface CheckoutMove extends Update {
  readonly into: string
  readonly moveBranch: () => Promise<void>
  readonly hold: RepositoryHold
}

/** Moves the branch and updates its checkout. If this fails, branch and checkout stay unchanged. */
export async function updateCheckout(git: Git, at: GitPlace, move: CheckoutMove): Promise<void> {
  // Ctrl-C ends git in the middle of its work. Muster itself ignores Ctrl-C at this point, so that it can undo the
  // unfinished work.
  const release = ignoreSignals()
  try {
    const lock = await lockIndex(at, move)
    try {
      await lock.copyIndex()
      await requireClean(git, lock.checkout, move.into)
      await requireNoOverwrite(git, lock.checkout, move)
      await writeIntent(at, move)
      await updateFiles(git, lock, move)
      await removeIntent(at)
    } finally {
      // While the intent exists, files may still have to be restored. So the index stays locked, and the user's git
      // must wait.
      if (!hasIntent(at)) await lock.release()
    }
  } finally {
    release()
  }
}

async function updateFiles(git: Git, lock: IndexLock, move: CheckoutMove): Promise<void> {
  const { from, to, moveBranch, hold } = move
  try {
    await git.run(lock.checkout, 'read-tree', '-m', '-u', from, to)
    await requireHeld(lock)
    await moveBranch()
    await lock.install()
  } catch (error) {
    if (!(await hold.isHeld())) throw takenOver(lock)
    if ((await settleOrReport(git, lock, move)) === 'after') return
    await removeIntent(lock.checkout.place)
    throw error instanceof GitFault && !isDiskFull(error)
      ? refused(`Landing was stopped: ${faultReason(error)}. Nothing changed.`)
      : error
  }
}

async function requireHeld(lock: IndexLock): Promise<void> {
  if (!(await lock.isHeld()))
    throw refused(`${lock.checkout.place.gitDir}/index.lock was removed. Nothing changed: land again.`)
}

/** The error if this process was suspended for a long time and another process has finished or undone its landing. */
const takenOver = ({ checkout: { place } }: IndexLock): BoardError =>
  new BoardError('directory_busy', `Another Muster process uses ${place.workTree ?? place.gitDir}: land again.`)

async function settleOrReport(git: Git, lock: IndexLock, update: Update): Promise<'before' | 'after'> {
  try {
    return await completeOrUndoUpdate(git, lock, update)
  } catch (error) {
    const { workTree, gitDir } = lock.checkout.place
    const rest = `${workTree ?? gitDir} stays locked until its files are restored`
    if (isDiskFull(error))
      throw new BoardError('disk_full', `The disk is full, and ${rest}: free some space, then land again.`, {
        details: { path: workTree ?? gitDir },
        cause: error,
      })
    throw error instanceof WorkspaceFault
      ? refused(`Landing was stopped: ${faultReason(error)}. ${rest}: land again.`)
      : error
  }
}

/** Finishes or undoes an interrupted update. The caller must hold the lock of the repository. */
export async function finishUpdate(git: Git, at: GitPlace, request: LockRequest): Promise<void> {
  if (!hasIntent(at) && !(await hasLeftLock(at))) return
  await endOrphans(at.common)
  const update = await readIntent(at)
  const lock = await lockIndex(at, request)
  let isSettled = false
  try {
    if (update !== null) await completeOrUndoUpdate(git, lock, update)
    await removeIntent(at)
    isSettled = true
  } finally {
    // A lock of an earlier landing stays until all files are restored.
    if (isSettled || !lock.wasLeft) await lock.release()
  }
}

/**
 * Throws an error if the checkout has changes. Submodules are ignored, because a landing does not change their files.
 */
async function requireClean(git: Git, locked: LockedCheckout, into: string): Promise<void> {
  await git.ask(locked, 'update-index', '-q', '--refresh')
  const status = await git.run(locked, 'status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all')
  const files = status.split('\0').filter((line) => line !== '')
  if (files.length === 0) return
  const names = files.map((line) => line.slice('XY '.length))
  throw refused(
    `${locked.place.workTree ?? ''} has ${into} checked out with uncommitted changes (${listedNames(names)}): commit or stash them, then land again.`,
    { files: names },
  )
}

/** Throws an error if the landing would overwrite an untracked file. */
async function requireNoOverwrite(git: Git, locked: LockedCheckout, { from, to }: Update): Promise<void> {
  try {
    await git.run(locked, 'read-tree', '-n', '-m', '-u', from, to)
  } catch (error) {
    if (!(error instanceof GitFault) || isDiskFull(error)) throw error
    throw refused(
      `${locked.place.workTree ?? ''} cannot take the work: ${faultReason(error)}. Move the file away, then land again.`,
    )
  }
}

/** Ignores these signals until the returned function is called. Child processes still receive them. */
function ignoreSignals(): () => void {
  const ignore = (): void => {}
  for (const signal of SIGNALS) process.on(signal, ignore)
  return () => {
    for (const signal of SIGNALS) process.off(signal, ignore)
  }
}
