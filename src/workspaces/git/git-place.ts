/**
 * Finds the git directory of a folder by reading files, without running git. The git runner gets this directory, so
 * that git does not follow a `.git` file itself.
 */
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { open } from '../../util/guarded-files.ts'

export interface GitPlace {
  /** The folder with HEAD and the index: the repository's own folder, or `worktrees/<name>` in it. */
  readonly gitDir: string
  /** The folder with the objects, refs and configuration, which all worktrees share. */
  readonly common: string
  /** The folder with the checked-out files. This is null for a bare repository. */
  readonly workTree: string | null
  /** Whether an agent may have made the repository. In such a repository, git fetches nothing from the remotes. */
  readonly isForeign?: boolean
}

/**
 * The repository whose top folder is `folder`. Null means that `folder` is not the top folder of a repository. The
 * `.git` file of the folder is trusted.
 */
export async function placeAt(folder: string): Promise<GitPlace | null> {
  const real = await realpath(folder).catch(() => null)
  if (real === null) return null
  const gitDir = await dotGit(real)
  if (gitDir !== null) return (await isGitDir(gitDir)) ? placeOf(gitDir, real) : null
  return (await isGitDir(real)) ? placeOf(real, null) : null
}

/** The nearest repository in a folder above `folder`. Null means that no folder above belongs to a repository. */
export async function placeAround(folder: string): Promise<GitPlace | null> {
  const real = await realpath(folder).catch(() => folder)
  for (let above = dirname(real), below = real; above !== below; below = above, above = dirname(above)) {
    const found = await placeAt(above)
    if (found !== null) return found
  }
  return null
}

/**
 * The git directory that a repository keeps for the worktree at `path`, according to its own records. The `.git` file
 * in the worktree is not read, because an agent can change that file.
 */
export async function worktreeOf(repository: GitPlace, path: string): Promise<GitPlace | null> {
  const parent = await realpath(dirname(path)).catch(() => null)
  if (parent === null) return null
  const workTree = join(parent, basename(path))
  const found = (await worktreesOf(repository)).find((entry) => entry.workTree === workTree)
  return found === undefined ? null : { gitDir: found.gitDir, common: repository.common, workTree }
}

interface WorktreeRecord {
  readonly gitDir: string
  readonly workTree: string
}

/** All linked worktrees that the repository has a record of, even worktrees whose folder does not exist. */
export async function worktreesOf({ common }: GitPlace): Promise<readonly WorktreeRecord[]> {
  const folder = join(common, 'worktrees')
  const names = await readdir(folder).catch(() => [])
  const records = names.map(async (name): Promise<WorktreeRecord[]> => {
    const gitDir = join(folder, name)
    const recorded = await readShort(join(gitDir, 'gitdir'))
    return recorded === null ? [] : [{ gitDir, workTree: dirname(resolve(gitDir, recorded.trim())) }]
  })
  return (await Promise.all(records)).flat()
}

/** The text of a worktree's `.git` file. */
export const gitFileOf = ({ gitDir }: GitPlace): string => `gitdir: ${gitDir}\n`

/** Whether the worktree's `.git` file still names its own git directory. */
export async function hasOwnGitFile({ gitDir, workTree }: GitPlace): Promise<boolean> {
  if (workTree === null) return true
  const found = await lstat(join(workTree, '.git')).catch(() => null)
  if (found?.isFile() !== true) return false
  const named = await dotGit(workTree)
  return named !== null && (await realpath(named).catch(() => null)) === (await realpath(gitDir).catch(() => gitDir))
}

async function placeOf(gitDir: string, workTree: string | null): Promise<GitPlace> {
  const real = await realpath(gitDir)
  const shared = await readShort(join(real, 'commondir'))
  const common = shared === null ? real : await realpath(resolve(real, shared.trim()))
  return { gitDir: real, common, workTree }
}

/**
 * The git directory of a folder: its `.git` folder, or the folder that its `.git` file names. Null means that `.git` is
 * missing or not valid.
 */
export async function dotGit(folder: string): Promise<string | null> {
  const path = join(folder, '.git')
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (found.isDirectory()) return path
  const [, named] = /^gitdir: ([^\n]+)\n*$/.exec((await readShort(path)) ?? '') ?? []
  return named === undefined ? null : resolve(folder, named)
}

async function isGitDir(folder: string): Promise<boolean> {
  const [head, shared, objects, refs] = await Promise.all(
    ['HEAD', 'commondir', 'objects', 'refs'].map((name) => lstat(join(folder, name)).catch(() => null)),
  )
  return head != null && (shared != null || (objects != null && refs != null))
}

const LONGEST = 8_192

/**
 * The beginning of a regular file. This is null for any other kind of file, because reading a pipe or device could
 * block the caller.
 */
async function readShort(path: string): Promise<string | null> {
  if ((await stat(path).catch(() => null))?.isFile() !== true) return null
  const handle = await open(path, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST), 0, LONGEST, 0)
    return buffer.subarray(0, bytesRead).toString()
  } finally {
    await handle.close()
  }
}
