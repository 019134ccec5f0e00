/**
 * The checkout of the branch that gets the work. It changes together with its branch:
 *   index locked → checkout is clean → intent written → branch moved → files updated, in a copy of the index → copy
 *   renamed over the index → intent removed, index unlocked
 * A failure after the branch moved undoes everything. A crash leaves the intent: the next landing, dispatcher, `diff`
 * or `checkout` finishes the update.
 */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BoardError } from '../core/errors.ts'
import { ignoreSignals } from '../util/ignore-signals.ts'
import { readFile, writeFile } from '../util/guarded-files.ts'
import { GitFault } from './git.ts'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'
import { removeLeftLock, withLockedIndex } from './index-lock.ts'
import type { LockedCheckout } from './index-lock.ts'
import { listed } from './landing-commit.ts'
import type { Repository } from './repository.ts'
import { undoHalfUpdate } from './undo-half-update.ts'
import type { Update } from './undo-half-update.ts'
import { faultReason } from './workspace-fault.ts'
import { entriesOf } from './worktree.ts'

const refused = (message: string, details: Record<string, unknown> = {}): BoardError =>
  new BoardError('land_refused', message, { details })

/** The checkout of a branch; null when it is checked out nowhere. Refuses while a rebase or merge of it is under way. */
export async function findTarget(git: Git, repository: Repository, branch: string): Promise<GitPlace | null> {
  const entries = await entriesOf(git, repository)
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
  const begun = Object.entries(UNDER_WAY).find(([name]) => existsSync(join(at.gitDir, name)))
  if (begun !== undefined) throw underWay(at, begun[1])
  return at
}

/** What git keeps while the user is in the middle of something, by file. */
const UNDER_WAY = { MERGE_HEAD: 'merge', CHERRY_PICK_HEAD: 'cherry-pick', REVERT_HEAD: 'revert', 'rebase-apply': 'am' }

const underWay = ({ workTree }: GitPlace, what: string): BoardError =>
  refused(`A ${what} is under way in ${workTree ?? ''}: finish it, or run git ${what} --abort there, then land again.`)

const headName = async ({ gitDir }: GitPlace, folder: string): Promise<string | null> =>
  (await readFile(join(gitDir, folder, 'head-name'), 'utf8').catch(() => null))?.trim() ?? null

interface Move extends Update {
  readonly into: string
  readonly moveBranch: () => Promise<void>
  readonly moveBack: () => Promise<void>
}

/** Moves the branch and brings its checkout along, or changes nothing. */
export async function updateCheckout(git: Git, at: GitPlace, move: Move): Promise<void> {
  // Ctrl-C also ends git in the middle of its work. Muster stays to take that back.
  const release = ignoreSignals()
  try {
    await withLockedIndex(at, async (locked) => {
      await requireClean(git, locked, move.into)
      await requireRoom(git, locked, move)
      await writeIntent(at, move)
      try {
        await move.moveBranch()
      } catch (error) {
        await removeIntent(at)
        throw error
      }
      try {
        await bringForward(git, locked, move)
      } catch (error) {
        await takeBack(git, locked, move)
        throw error instanceof GitFault
          ? refused(`Landing was stopped: ${faultReason(error)}. Nothing changed.`)
          : error
      }
      await removeIntent(at)
    })
  } finally {
    release()
  }
}

async function bringForward(git: Git, locked: LockedCheckout, { from, to }: Update): Promise<void> {
  await git.run(locked, 'read-tree', '-m', '-u', from, to)
  await rename(locked.env.GIT_INDEX_FILE, join(locked.place.gitDir, 'index'))
}

async function takeBack(git: Git, locked: LockedCheckout, move: Move): Promise<void> {
  const kept = await undoHalfUpdate(git, locked, move)
  await move.moveBack()
  if (kept.length === 0) await removeIntent(locked.place)
}

/** Ends an update that a crash cut off. Needs the lock of the repository. */
export async function finishUpdate(git: Git, at: GitPlace): Promise<void> {
  const update = await readIntent(at)
  if (update === null) return removeLeftLock(at)
  await withLockedIndex(at, async (locked) => {
    const head = (await git.ask(at, 'rev-parse', '--verify', '--quiet', 'HEAD'))?.trim()
    const isBefore = (await git.ask(locked, 'diff-index', '--cached', '--quiet', update.from)) !== null
    // Otherwise the crash came after everything, or somebody has gone on from there.
    if (isBefore && (head === update.from || head === update.to)) {
      const changed = await undoHalfUpdate(git, locked, update)
      if (changed.length > 0)
        throw refused(
          `A landing in ${at.workTree ?? ''} was cut off, and ${listed(changed)} changed since: move the changes away, then land again.`,
          { files: changed },
        )
      if (head === update.to) await bringForward(git, locked, update)
    }
    await removeIntent(at)
  })
}

const intentOf = ({ gitDir }: GitPlace): string => join(gitDir, 'muster-landing')

const writeIntent = async (at: GitPlace, { from, to }: Update): Promise<void> =>
  writeFile(intentOf(at), `${from} ${to}\n`, { mode: 0o600, flush: true })

const removeIntent = async (at: GitPlace): Promise<void> => rm(intentOf(at), { force: true })

/** Null also for one that was cut off: nothing had changed yet. */
async function readIntent(at: GitPlace): Promise<Update | null> {
  const text = await readFile(intentOf(at), 'utf8').catch(() => '')
  const [, from, to] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n$/.exec(text) ?? []
  return from === undefined || to === undefined ? null : { from, to }
}

/** Submodules are not looked at: a landing does not touch what is in them. */
async function requireClean(git: Git, locked: LockedCheckout, into: string): Promise<void> {
  await git.ask(locked, 'update-index', '-q', '--refresh')
  const status = await git.run(locked, 'status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=all')
  const files = status.split('\0').filter((line) => line !== '')
  if (files.length === 0) return
  const names = files.map((line) => line.slice('XY '.length))
  throw refused(
    `${locked.place.workTree ?? ''} has ${into} checked out with uncommitted changes (${listed(names)}): commit or stash them, then land again.`,
    { files: names },
  )
}

/** Refuses if an untracked file would be overwritten. */
async function requireRoom(git: Git, locked: LockedCheckout, { from, to }: Update): Promise<void> {
  try {
    await git.run(locked, 'read-tree', '-n', '-m', '-u', from, to)
  } catch (error) {
    if (!(error instanceof GitFault)) throw error
    throw refused(
      `${locked.place.workTree ?? ''} cannot take the work: ${faultReason(error)}. Move the file away, then land again.`,
    )
  }
}
