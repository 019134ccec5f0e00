/**
 * Completes or undoes an update of a checkout that failed or was interrupted. If the branch has not moved, the files
 * are restored from the index, which still matches the old commit. If the branch has moved, all files are already
 * updated, so only the index is updated. Both can be interrupted and repeated at any point.
 *
 * The update leaves each of its files in the old state, in the new state, missing or half written. A file with any
 * other content was changed by the user, and stays as an uncommitted change.
 */
import { lstat, rm, rmdir } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFile } from '../../util/guarded-files.ts'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import type { IndexLock, LockedCheckout } from '../git/index-lock.ts'
import type { Update } from './landing-intent.ts'
import { removeLeftRefLocks } from '../git/remove-left-ref-locks.ts'

interface TrackedChange {
  /** The path as latin1 text, which keeps every byte. */
  readonly path: string
  /** Mode and hash of the file. Null means that the commit does not have the file. */
  readonly before: string | null
  readonly after: string | null
}

/** Returns whether the whole checkout is now in the state before the update, or in the state after the update. */
export async function completeOrUndoUpdate(git: Git, lock: IndexLock, update: Update): Promise<'before' | 'after'> {
  const { checkout } = lock
  await lock.take()
  await removeLeftRefLocks(git, checkout.place, update.to)
  await lock.copyIndex()
  const changes = await openChanges(git, checkout, update)
  const head = (await git.ask(checkout.place, 'rev-parse', '--verify', '--quiet', 'HEAD'))?.trim()
  const hasMoved = head === update.to
  if (hasMoved) await advanceIndex(git, checkout, update, changes)
  else await undoFiles(git, checkout, update, changes)
  await git.ask(checkout, 'update-index', '-q', '--refresh')
  await lock.install()
  return hasMoved ? 'after' : 'before'
}

/**
 * The changes that the update must still complete or undo. Files that are already staged are left out: they were staged
 * by the update, or by a user who removed Muster's lock.
 */
async function openChanges(git: Git, checkout: LockedCheckout, update: Update): Promise<readonly TrackedChange[]> {
  const staged = await names(git, checkout, 'diff-index', '--cached', '-z', '--name-only', '--no-renames', update.from)
  return (await changesOf(git, checkout.place, update)).filter(({ path }) => !staged.has(path))
}

const names = async (git: Git, checkout: LockedCheckout, ...args: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await git.bytes(checkout, ...args)).toString('latin1').split('\0'))

/**
 * Updates the index. Git's own merge comes first, because it keeps sparse files sparse. Git refuses the merge if the
 * user has staged another change of one of the files. In that case, the entries are replaced one by one.
 */
async function advanceIndex(
  git: Git,
  checkout: LockedCheckout,
  { from, to }: Update,
  changes: readonly TrackedChange[],
): Promise<void> {
  if (changes.length === 0) return
  if ((await git.ask(checkout, 'read-tree', '-i', '-m', from, to)) !== null) return
  const removed = changes
    .filter(({ after }) => after === null)
    .map(({ path }) => `0 ${'0'.repeat(from.length)}\t${path}`)
  const written = changes.flatMap(({ path, after }) => (after === null ? [] : [`${after}\t${path}`]))
  await git.run({ ...checkout, stdin: asInput([...removed, ...written]) }, 'update-index', '-z', '--index-info')
}

async function undoFiles(
  git: Git,
  checkout: LockedCheckout,
  update: Update,
  all: readonly TrackedChange[],
): Promise<void> {
  const { place } = checkout
  // Submodules are left out, because git does not update their checkout together with the checkout of the parent.
  const changes = all.filter(({ before, after }) => ![before, after].some((entry) => entry?.startsWith(SUBMODULE)))
  const asBefore = await filesLike(git, checkout, changes, 'before')
  const asAfter = await filesLike(git, checkout, changes, 'after')
  const isOurs = async ({ path, before, after }: TrackedChange, found: Stats): Promise<boolean> =>
    asAfter.has(path) ||
    (after !== null && (await isHalfWritten(git, place, { commit: update.to, path, found }))) ||
    (before !== null && (await isHalfWritten(git, place, { commit: update.from, path, found })))

  // New files are removed first, because a new folder may be in the place of an old file that must be restored.
  for (const change of changes.filter(({ before }) => before === null)) {
    const found = await find(place, change.path)
    if (found === 'blocked') continue
    if (found !== null && !(await isOurs(change, found))) continue
    if (found !== null) await rm(diskPath(place, change.path), { force: true })
    await removeEmptyFolders(place, change.path)
  }
  const restored: string[] = []
  for (const change of changes.filter(({ path, before }) => before !== null && !asBefore.has(path))) {
    const found = await find(place, change.path)
    if (found === null || (found !== 'blocked' && (await isOurs(change, found)))) restored.push(change.path)
  }
  if (restored.length > 0)
    await git.run({ ...checkout, stdin: asInput(restored) }, 'checkout-index', '-f', '-u', '-z', '--stdin')
}

const asInput = (entries: readonly string[]): Buffer => Buffer.from(entries.map((one) => `${one}\0`).join(''), 'latin1')

const diskPath = ({ workTree }: GitPlace, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${workTree ?? ''}/`), Buffer.from(path, 'latin1')])

/**
 * Finds a file. Returns null if the path does not exist. Returns `blocked` if a folder above the file is now a file or
 * a link.
 */
async function find(place: GitPlace, path: string): Promise<Stats | 'blocked' | null> {
  const above = dirname(path)
  const folder = above === '.' ? null : await find(place, above)
  if (folder === 'blocked' || folder?.isDirectory() === false) return 'blocked'
  return lstat(diskPath(place, path)).catch(() => null)
}

const SUBMODULE = '160000'
const ABSENT = '000000'

async function changesOf(git: Git, place: GitPlace, { from, to }: Update): Promise<readonly TrackedChange[]> {
  const listed = await git.bytes(place, 'diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to)
  const fields = listed.toString('latin1').split('\0')
  return fields.flatMap((facts, at): TrackedChange[] => {
    if (!facts.startsWith(':')) return []
    const [beforeMode = '', afterMode = '', beforeHash = '', afterHash = ''] = facts.slice(1).split(' ')
    const entry = (mode: string, hash: string): string | null => (mode === ABSENT ? null : `${mode} ${hash}`)
    return [{ path: fields[at + 1] ?? '', before: entry(beforeMode, beforeHash), after: entry(afterMode, afterHash) }]
  })
}

/**
 * The files on disk that are equal to the files of a commit. Git compares them, because line endings, filters and modes
 * matter.
 */
async function filesLike(
  git: Git,
  { place }: LockedCheckout,
  changes: readonly TrackedChange[],
  side: 'before' | 'after',
): Promise<ReadonlySet<string>> {
  const index = join(place.gitDir, 'muster-compare-index')
  const own = { place, env: { GIT_INDEX_FILE: index } }
  const entries = changes.flatMap(({ path, [side]: entry }) => (entry === null ? [] : [{ path, entry }]))
  for (const left of [index, `${index}.lock`]) await rm(left, { force: true })
  try {
    const stdin = asInput(entries.map(({ path, entry }) => `${entry}\t${path}`))
    await git.run({ ...own, stdin }, 'update-index', '-z', '--index-info')
    await git.ask(own, 'update-index', '-q', '--refresh')
    const unlike = await names(git, own, 'diff-files', '-z', '--name-only')
    return new Set(entries.map(({ path }) => path).filter((path) => !unlike.has(path)))
  } finally {
    await rm(index, { force: true })
  }
}

const COMPARED_BYTES = 64 * 1024 * 1024
/**
 * The block size of git's writes. An interrupted write ends at a block boundary. A file that ends at another position
 * was shortened by the user.
 */
const BLOCK_BYTES = 512

interface Half {
  readonly commit: string
  readonly path: string
  readonly found: Stats
}

/** Whether the file contains only the beginning of the content that git was writing. */
async function isHalfWritten(git: Git, place: GitPlace, { commit, path, found }: Half): Promise<boolean> {
  if (!found.isFile() || found.size > COMPARED_BYTES || found.size % BLOCK_BYTES !== 0) return false
  const name = Buffer.from(path, 'latin1').toString()
  const whole = await git.bytes(place, 'cat-file', '--filters', `${commit}:${name}`).catch(() => null)
  return whole?.subarray(0, found.size).equals(await readFile(diskPath(place, path))) === true
}

async function removeEmptyFolders(place: GitPlace, path: string): Promise<void> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = await find(place, folder)
    if (found === null) continue
    if (found === 'blocked' || !found.isDirectory()) return
    const isRemoved = await rmdir(diskPath(place, folder)).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return
  }
}
