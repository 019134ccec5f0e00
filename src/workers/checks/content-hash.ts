/**
 * A hash of what a workspace holds, to tell whether the checks judged what is there now. With git: tracked and
 * unignored files; else all. Files beyond the budget count by size and time of change, which a careful liar could
 * restore; a workspace of too many files has no hash at all, and then every failed check spends a try.
 */
import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { lstat, readdir, readlink, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { open } from '../../util/guarded-files.ts'
import { GitFault, gitWith } from '../../workspaces/git.ts'

export interface HashLimits {
  readonly files: number
  /** Read in all; what comes after that is not read. */
  readonly bytes: number
}

const LIMITS: HashLimits = { files: 100_000, bytes: 512 * 1024 * 1024 }

interface HashOptions {
  readonly limits?: HashLimits
  readonly signal?: AbortSignal
}

export async function hashContent(
  folder: string,
  { limits = LIMITS, signal }: HashOptions = {},
): Promise<string | null> {
  const paths = await filesIn(folder, limits.files)
  if (paths === null) return null
  const hash = createHash('sha256')
  let budget = limits.bytes
  for (const path of paths.sort()) {
    signal?.throwIfAborted()
    const { line, bytes } = await describe(join(folder, path), budget)
    budget -= bytes
    hash.update(`${path}\0${line}\n`)
  }
  return hash.digest('hex')
}

/** Null when there are more than that. What lies in repositories within a repository counts by their own rules. */
async function filesIn(root: string, most: number): Promise<string[] | null> {
  const found = new Set<string>()
  const folders = ['']
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    const folder = join(root, inside)
    const known = inside === '' || existsSync(join(folder, '.git')) ? await gitFiles(folder) : null
    const { files, repositories } = known ?? { files: await allFiles(folder, most), repositories: [] }
    if (files === null) return null
    for (const path of files) found.add(join(inside, path))
    if (found.size > most) return null
    folders.push(...repositories.map((path) => join(inside, path)))
  }
  return [...found]
}

interface Known {
  readonly files: readonly string[]
  /** Of which git knows the place, and nothing within. */
  readonly repositories: readonly string[]
}

const LIST_MS = 60_000
const git = gitWith({ timeoutMs: LIST_MS })
const REPOSITORY = '160000 '

/**
 * What git says of a folder; null when it has no say. A repository around it has one where it tracks files of it: then
 * the folder is a part of that. If it does not, as with a home that is kept in git, its rules were not made for this.
 */
async function gitFiles(folder: string): Promise<Known | null> {
  const isOwn = existsSync(join(folder, '.git'))
  if (!isOwn && !(await isWithinRepository(folder))) return null
  try {
    const tracked = lines(await git.run(folder, 'ls-files', '-z', '--stage'))
    if (!isOwn && tracked.length === 0) return null
    const others = lines(await git.run(folder, 'ls-files', '-z', '--others', '--exclude-standard'))
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
    if (error instanceof GitFault) return null
    throw error
  }
}

const lines = (output: string): string[] => output.split('\0').filter((line) => line !== '')

async function isWithinRepository(folder: string): Promise<boolean> {
  const real = await realpath(folder).catch(() => folder)
  for (let above = dirname(real), below = real; above !== below; below = above, above = dirname(above))
    if (existsSync(join(above, '.git'))) return true
  return false
}

/** Null when there are more than that. */
async function allFiles(folder: string, most: number): Promise<string[] | null> {
  const found: string[] = []
  const waiting = ['']
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    for (const entry of await readdir(join(folder, inside), { withFileTypes: true }).catch(() => [])) {
      const path = join(inside, entry.name)
      if (entry.isDirectory() && entry.name !== '.git') waiting.push(path)
      else if (!entry.isDirectory()) found.push(path)
      if (found.length > most) return null
    }
  }
  return found
}

/** What there is at a path, in a line; how much was read for it. A file that vanishes meanwhile has changed. */
async function describe(path: string, budget: number): Promise<{ line: string; bytes: number }> {
  try {
    const stat = await lstat(path)
    if (stat.isSymbolicLink()) return { line: `link ${await readlink(path)}`, bytes: 0 }
    if (!stat.isFile()) return { line: 'other', bytes: 0 }
    const kind = (stat.mode & 0o111) === 0 ? 'file' : 'program'
    if (stat.size > budget) return { line: `${kind} ${stat.size} ${stat.mtimeMs}`, bytes: 0 }
    return { line: `${kind} ${await digestOf(path)}`, bytes: stat.size }
  } catch {
    return { line: 'gone', bytes: 0 }
  }
}

const PIECE_BYTES = 1024 * 1024

/** Piece by piece: a large file never stands in memory. A pipe put in its place meanwhile is not waited for. */
async function digestOf(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error(`${path} is not a file any more`)
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
