/**
 * Finds the files of a worktree that git ignores. No commit contains these files, so they are copied before the
 * worktree is removed. Some of them are left out: files that the user's own checkout has too, and folders that tools
 * can fill again, such as dependencies and caches. Symbolic links are copied as links and never followed.
 */
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { placeOfWorktree, repositoryPlace } from '../git/repository.ts'

export interface IgnoredWork {
  /** The paths of the files, relative to the worktree. Names are bytes, kept as latin1 text. */
  readonly paths: readonly string[]
  readonly bytes: number
  /** A folder or file that cannot be read. Null means that everything can be read. */
  readonly unreadable: string | null
}

/** The maximum number of ignored files. With more files, Muster makes no copy and keeps the worktree. */
const MOST_FILES = 200_000

const CACHES: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.gradle',
  '.turbo',
  '.parcel-cache',
])
/** Files that show that a tool filled the folder: a tagged cache, or a Python environment. */
const MARKS = ['CACHEDIR.TAG', 'pyvenv.cfg']

const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const inside = (folder: string, path: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), bytesOf(path)])
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const NOTHING: IgnoredWork = { paths: [], bytes: 0, unreadable: null }

/** Finds the ignored files. Returns null if their number is too large for a snapshot. */
export async function ignoredWork(git: Git, folder: string, repo: string | null): Promise<IgnoredWork | null> {
  const place = repo === null ? null : await placeOfWorktree(git, { repo, path: folder })
  if (place === null) return NOTHING
  const command = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']
  const listed = (await git.bytes(place, ...command)).toString('latin1').split('\0')
  const waiting = listed.filter((path) => path !== '').map((path) => path.replace(/\/$/, ''))
  const found: FoundPaths[] = []
  let unreadable: string | null = null
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const at = await lstat(inside(folder, path)).catch(() => null)
    if (at === null) unreadable ??= join(folder, path)
    else if (at.isFile()) found.push({ path, size: at.size, isLink: false })
    else if (CACHES.has(nameOf(path))) continue
    else if (at.isSymbolicLink()) found.push({ path, size: at.size, isLink: true })
    else if (at.isDirectory()) {
      const names = await listNames(inside(folder, path))
      if (names === null) unreadable ??= join(folder, path)
      else if (!MARKS.some((mark) => names.includes(mark))) waiting.push(...names.map((name) => `${path}/${name}`))
    }
    if (found.length + waiting.length > MOST_FILES) return null
  }
  const own = await withoutCopies(git, found, { place, repo })
  return { paths: own.map(({ path }) => path), bytes: own.reduce((sum, { size }) => sum + size, 0), unreadable }
}

const listNames = async (path: Buffer): Promise<string[] | null> => {
  const names = await readdir(path, 'buffer').catch(() => null)
  return names === null ? null : names.map((name) => name.toString('latin1'))
}

interface FoundPaths {
  readonly path: string
  readonly size: number
  readonly isLink: boolean
}

/**
 * Leaves out files that the user's checkout has at the same path, and symbolic links that point to files of that
 * checkout.
 */
async function withoutCopies(
  git: Git,
  found: readonly FoundPaths[],
  { place, repo }: { readonly place: GitPlace; readonly repo: string | null },
): Promise<readonly FoundPaths[]> {
  const checkout = await repositoryPlace(git, repo)
  if (checkout.workTree === null) return found
  const both = { ours: place, theirs: checkout, folder: place.workTree ?? '', users: checkout.workTree }
  const [copies, links] = [await sameFiles(git, found, both), await sameLinks(found, both)]
  return found.filter(({ path }) => !copies.has(path) && !links.has(path))
}

interface Checkouts {
  readonly ours: GitPlace
  /** The user's own checkout. */
  readonly theirs: GitPlace
  readonly folder: string
  readonly users: string
}

async function sameFiles(git: Git, found: readonly FoundPaths[], both: Checkouts): Promise<ReadonlySet<string>> {
  const alike: string[] = []
  for (const { path, size } of found.filter(({ isLink }) => !isLink)) {
    const there = await lstat(inside(both.users, path)).catch(() => null)
    if (there?.isFile() === true && there.size === size && !path.includes('\n')) alike.push(path)
  }
  if (alike.length === 0) return new Set()
  const [ours, theirs] = [await hashesOf(git, both.ours, alike), await hashesOf(git, both.theirs, alike)]
  if (ours === null || theirs === null) return new Set()
  return new Set(alike.filter((_, at) => ours[at] === theirs[at]))
}

/**
 * Finds symbolic links that the user's checkout has too, and links to the checkout that Muster made (`worktreeLink`).
 */
async function sameLinks(found: readonly FoundPaths[], { folder, users }: Checkouts): Promise<ReadonlySet<string>> {
  const same = new Set<string>()
  for (const { path } of found.filter(({ isLink }) => isLink)) {
    const source = inside(users, path)
    const [ours, theirs] = [await targetOf(inside(folder, path)), await targetOf(source)]
    if (ours !== null && (ours.equals(source) || theirs?.equals(ours) === true)) same.add(path)
  }
  return same
}

const targetOf = (path: Buffer): Promise<Buffer | null> => readlink(path, 'buffer').catch(() => null)

async function hashesOf(git: Git, place: GitPlace, paths: readonly string[]): Promise<readonly string[] | null> {
  const stdin = bytesOf(paths.map((path) => `${path}\n`).join(''))
  const hashes = await git.ask({ place, stdin }, 'hash-object', '--no-filters', '--stdin-paths')
  return hashes === null ? null : hashes.split('\n')
}
