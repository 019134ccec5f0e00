/**
 * A hash of what a workspace holds, to tell whether the checks judged what is there now. With git: tracked and
 * unignored files; else all. Files beyond the budget count by size and time of change, which a careful liar could
 * restore; a workspace of too many files has no hash at all, and then every failed check spends a try.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, readFile, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { GitFault, gitWith } from '../../workspaces/git.ts'

export interface HashLimits {
  readonly files: number
  /** Read in all; what comes after that is not read. */
  readonly bytes: number
}

const LIMITS: HashLimits = { files: 100_000, bytes: 512 * 1024 * 1024 }
const git = gitWith({ timeoutMs: 60_000 })

export async function hashContent(folder: string, limits: HashLimits = LIMITS): Promise<string | null> {
  const paths = (await gitFiles(folder)) ?? (await allFiles(folder, limits.files))
  if (paths === null || paths.length > limits.files) return null
  const hash = createHash('sha256')
  let budget = limits.bytes
  for (const path of [...new Set(paths)].sort()) {
    const { line, bytes } = await describe(join(folder, path), budget)
    budget -= bytes
    hash.update(`${path}\0${line}\n`)
  }
  return hash.digest('hex')
}

/** Only of the folder's own repository: what a repository around it ignores is no concern of ours. */
async function gitFiles(folder: string): Promise<string[] | null> {
  if (!existsSync(join(folder, '.git'))) return null
  try {
    const listed = await git.run(folder, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    return listed.split('\0').filter((path) => path !== '')
  } catch (error) {
    if (error instanceof GitFault) return null
    throw error
  }
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
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    return { line: `${kind} ${digest}`, bytes: stat.size }
  } catch {
    return { line: 'gone', bytes: 0 }
  }
}
