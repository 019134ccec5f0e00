/**
 * A hash of a workspace's content. The hash shows whether the content has changed since the checks ran.
 *
 * - In the user's own repository, the hash covers the files that git does not ignore. In other folders, it covers all
 *   files. A repository that an agent created counts as an ordinary folder.
 * - Files beyond the byte limit count only by size and modification time, although an agent could restore both.
 * - A workspace with too many files has no hash. In that case, every failed check uses up a try.
 *
 * File names are bytes, kept as latin1 text.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import type { Workspace } from '../../core/task.ts'
import { open } from '../../util/guarded-files.ts'
import { gitWith } from '../../workspaces/git/git.ts'
import type { Git } from '../../workspaces/git/git.ts'
import { placeAround, placeAt } from '../../workspaces/git/git-place.ts'
import type { GitPlace } from '../../workspaces/git/git-place.ts'
import { WorkspaceFault } from '../../workspaces/workspace-fault.ts'
import { placeOfWorktree } from '../../workspaces/git/repository.ts'

export interface HashLimits {
  readonly files: number
  /** The maximum total size of the files to read. Files beyond this limit are not read. */
  readonly bytes: number
}

const LIMITS: HashLimits = { files: 100_000, bytes: 512 * 1024 * 1024 }

export interface Content {
  readonly folder: string
  /** The data folder. */
  readonly home: string
  readonly workspace: Pick<Workspace, 'kind' | 'repo'>
}

interface HashOptions {
  readonly limits?: HashLimits
  readonly signal?: AbortSignal
}

export async function hashContent(
  content: Content,
  { limits = LIMITS, signal }: HashOptions = {},
): Promise<string | null> {
  const paths = await filesIn(content, limits.files)
  if (paths === null) return null
  const hash = createHash('sha256')
  let budget = limits.bytes
  for (const path of paths.sort()) {
    signal?.throwIfAborted()
    const { line, bytes } = await describe(inside(content.folder, path), budget)
    budget -= bytes
    hash.update(`${path}\0${line}\n`, 'latin1')
  }
  return hash.digest('hex')
}

/** The files of the content. Returns null if there are more than `most` files. */
export async function filesIn(content: Content, most: number): Promise<string[] | null> {
  const known = await gitFiles(content)
  if (known === null) return allFiles(content.folder, most)
  const found = new Set(known.files)
  for (const inner of known.repositories) {
    const top = inner.replace(/\/$/, '')
    const files = await allFiles(content.folder, most - found.size, top)
    if (files === null) return null
    for (const path of files) found.add(path)
  }
  return found.size > most ? null : [...found]
}

interface Known {
  readonly files: readonly string[]
  /** Repositories inside the folder. Git lists these folders, but not the files in them. */
  readonly repositories: readonly string[]
}

const LIST_MS = 60_000
const REPOSITORY = '160000 '

/** The files that git tracks or does not ignore. Null means that git's rules do not apply, or that git failed. */
async function gitFiles({ folder, home, workspace }: Content): Promise<Known | null> {
  const git = gitWith({ home, timeoutMs: LIST_MS })
  try {
    const own = await ownPlace(git, { folder, workspace })
    const place = own ?? (workspace.kind === 'dir' ? await placeAround(folder) : null)
    if (place?.workTree == null) return null
    const where = { place, cwd: await realpath(folder) }
    const tracked = lines(await git.bytes(where, 'ls-files', '-z', '--stage'))
    // A repository above the folder counts only if it tracks files in the folder. Some people keep their home folder in
    // git, and this repository often tracks no file of the folder.
    if (own === null && tracked.length === 0) return null
    const others = lines(await git.bytes(where, 'ls-files', '-z', '--others', '--exclude-standard'))
    const pathOf = (line: string): string => line.slice(line.indexOf('\t') + 1)
    return {
      files: [
        ...tracked.filter((line) => !line.startsWith(REPOSITORY)).map(pathOf),
        ...others.filter((path) => !path.endsWith('/')),
      ],
      repositories: [
        ...tracked.filter((line) => line.startsWith(REPOSITORY)).map(pathOf),
        ...others.filter((path) => path.endsWith('/')),
      ],
    }
  } catch (error) {
    if (error instanceof WorkspaceFault) return null
    throw error
  }
}

/**
 * The git directory of the folder. A repository in a scratch folder was made by an agent, so git does not run there.
 */
async function ownPlace(git: Git, { folder, workspace }: Omit<Content, 'home'>): Promise<GitPlace | null> {
  switch (workspace.kind) {
    case 'scratch':
      return null
    case 'dir':
      return placeAt(folder)
    case 'worktree':
      return placeOfWorktree(git, { repo: workspace.repo, path: folder })
  }
}

const lines = (output: Buffer): string[] =>
  output
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '')

export const inside = (folder: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')])

/** All files in a folder, or in its subfolder `top`. Returns null if there are more than `most` files. */
async function allFiles(folder: string, most: number, top = ''): Promise<string[] | null> {
  const found: string[] = []
  const waiting = [top]
  for (let above = waiting.pop(); above !== undefined; above = waiting.pop()) {
    const options = { withFileTypes: true, encoding: 'buffer' } as const
    for (const entry of await readdir(inside(folder, above), options).catch(() => [])) {
      const name = entry.name.toString('latin1')
      const path = above === '' ? name : `${above}/${name}`
      if (entry.isDirectory() && name !== '.git') waiting.push(path)
      else if (!entry.isDirectory()) found.push(path)
      if (found.length > most) return null
    }
  }
  return found
}

/**
 * Describes a file in one line, and counts the bytes that were read. A file that disappears during this counts as
 * changed.
 */
async function describe(path: Buffer, budget: number): Promise<{ line: string; bytes: number }> {
  try {
    const stat = await lstat(path)
    if (stat.isSymbolicLink()) return { line: `link ${await readlink(path, 'latin1')}`, bytes: 0 }
    if (!stat.isFile()) return { line: 'other', bytes: 0 }
    const kind = (stat.mode & 0o111) === 0 ? 'file' : 'program'
    if (stat.size > budget) return { line: `${kind} ${stat.size} ${stat.mtimeMs}`, bytes: 0 }
    return { line: `${kind} ${await digestOf(path)}`, bytes: stat.size }
  } catch {
    return { line: 'gone', bytes: 0 }
  }
}

const PIECE_BYTES = 1024 * 1024

/**
 * Hashes a file in pieces, which need little memory. The file is opened without blocking, because an agent may replace
 * it with a pipe at any moment.
 */
async function digestOf(path: Buffer): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error(`${path.toString()} is no longer a file`)
    const [digest, piece] = [createHash('sha256'), Buffer.allocUnsafe(Math.min(PIECE_BYTES, found.size + 1))]
    for (let at = 0; ;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length, at)
      if (bytesRead === 0) return digest.digest('hex')
      digest.update(piece.subarray(0, bytesRead))
      at += bytesRead
    }
  } finally {
    await handle.close()
  }
}
