/**
 * Sets the files of a checkout back after git was ended while it updated them. Each file of the update is then as before
 * it, as after it, missing, or half written. Any other content is the user's and is not touched.
 */
import { lstat, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readFile } from '../util/guarded-files.ts'
import type { Git } from './git.ts'
import type { GitPlace } from './git-place.ts'
import type { LockedCheckout } from './index-lock.ts'

/** The commits before and after. */
export interface Update {
  readonly from: string
  readonly to: string
}

interface Change {
  /** As latin1 text, which keeps every byte of a name. */
  readonly path: string
  /** Mode and hash; null when the commit does not have the file. */
  readonly before: string | null
  readonly after: string | null
}

/** The index must be that of the commit before. Returns the files that somebody else changed. */
export async function undoHalfUpdate(git: Git, locked: LockedCheckout, update: Update): Promise<readonly string[]> {
  // Left by the git that was ended.
  await rm(`${locked.env.GIT_INDEX_FILE}.lock`, { force: true })
  const changes = await changesOf(git, locked.place, update)
  const asBefore = await filesLike(git, locked, changes, 'before')
  const asAfter = await filesLike(git, locked, changes, 'after')
  const [foreign, replaced]: [string[], string[]] = [[], []]
  for (const { path, before, after } of changes) {
    const isMissing = (await lstat(diskPath(locked.place, path)).catch(() => null)) === null
    if (before === null ? isMissing : asBefore.has(path)) continue
    const isOurs =
      isMissing || asAfter.has(path) || (after !== null && (await isHalfWritten(git, locked, update, path)))
    if (!isOurs) foreign.push(path)
    else if (before === null) await removeFile(locked.place, path)
    else replaced.push(path)
  }
  if (replaced.length > 0)
    await git.run({ ...locked, stdin: asInput(replaced) }, 'checkout-index', '-f', '-u', '-z', '--stdin')
  return foreign.map((path) => Buffer.from(path, 'latin1').toString())
}

const asInput = (entries: readonly string[]): Buffer => Buffer.from(entries.map((one) => `${one}\0`).join(''), 'latin1')

const diskPath = ({ workTree }: GitPlace, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${workTree ?? ''}/`), Buffer.from(path, 'latin1')])

const SUBMODULE = '160000'
const ABSENT = '000000'

/** The checkout of a submodule does not change with that of its parent. */
async function changesOf(git: Git, place: GitPlace, { from, to }: Update): Promise<readonly Change[]> {
  const listed = await git.bytes(place, 'diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to)
  const fields = listed.toString('latin1').split('\0')
  return fields.flatMap((facts, at): Change[] => {
    if (!facts.startsWith(':')) return []
    const [beforeMode = '', afterMode = '', beforeHash = '', afterHash = ''] = facts.slice(1).split(' ')
    if ([beforeMode, afterMode].includes(SUBMODULE)) return []
    const entry = (mode: string, hash: string): string | null => (mode === ABSENT ? null : `${mode} ${hash}`)
    return [{ path: fields[at + 1] ?? '', before: entry(beforeMode, beforeHash), after: entry(afterMode, afterHash) }]
  })
}

/** The files on disk that equal those of one commit. Git compares: it knows line endings, filters, links and modes. */
async function filesLike(
  git: Git,
  { place }: LockedCheckout,
  changes: readonly Change[],
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
    const unlike = (await git.bytes(own, 'diff-files', '-z', '--name-only')).toString('latin1').split('\0')
    return new Set(entries.map(({ path }) => path).filter((path) => !unlike.includes(path)))
  } finally {
    await rm(index, { force: true })
  }
}

const COMPARED_BYTES = 64 * 1024 * 1024

/** Whether the file is the beginning of what git was to write. */
async function isHalfWritten(git: Git, { place }: LockedCheckout, { to }: Update, path: string): Promise<boolean> {
  const file = diskPath(place, path)
  const found = await lstat(file).catch(() => null)
  if (found?.isFile() !== true || found.size > COMPARED_BYTES || !(await isWithin(place, file))) return false
  const name = Buffer.from(path, 'latin1').toString()
  const whole = await git.bytes(place, 'cat-file', '--filters', `${to}:${name}`).catch(() => null)
  return whole?.subarray(0, found.size).equals(await readFile(file)) === true
}

/** Whether no link leads out of the checkout. */
async function isWithin({ workTree }: GitPlace, file: Buffer): Promise<boolean> {
  const folder = dirname(file.toString('latin1'))
  const real = await realpath(Buffer.from(folder, 'latin1'), 'latin1').catch(() => null)
  return workTree !== null && real === folder
}

async function removeFile(place: GitPlace, path: string): Promise<void> {
  await rm(diskPath(place, path), { force: true })
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder))
    if (
      !(await rmdir(diskPath(place, folder)).then(
        () => true,
        () => false,
      ))
    )
      return
}
