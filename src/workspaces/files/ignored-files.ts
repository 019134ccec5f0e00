/**
 * Brings ignored files into a worktree. Git ignores these files, but the work needs them. In the worktree, they are
 * links to the user's checkout, or copies.
 */
import { lstat, mkdir, readdir, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Git } from '../git/git.ts'
import type { GitPlace } from '../git/git-place.ts'
import { runProgram } from '../../processes/run-program.ts'

export interface Ignored {
  readonly link: readonly string[]
  readonly copy: readonly string[]
}

interface FileMove extends Ignored {
  /** The user's checkout. This is null for a bare repository. */
  readonly from: string | null
  readonly to: GitPlace
}

/** Links and copies the paths that the agent's file lists. Returns a note for each path that was left out. */
export async function bringFiles(git: Git, { from, to: place, link, copy }: FileMove): Promise<string[]> {
  const to = place.workTree ?? ''
  const notes: string[] = []
  for (const [paths, bring] of [
    [link, linkOne],
    [copy, copyOne],
  ] as const)
    for (const path of paths) {
      const why = from === null ? 'the repository is bare' : await bring(git, { from, to, place, path: tidy(path) })
      if (why !== null) notes.push(`${path} ${bring === linkOne ? 'not linked' : 'not copied'}: ${why}`)
    }
  return notes
}

const tidy = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')

interface One {
  readonly from: string
  readonly to: string
  readonly place: GitPlace
  readonly path: string
}

/**
 * Links one path. If git ignores the path only as a folder, git would report a link in its place as a change. In that
 * case, the entries of the folder are linked instead.
 */
async function linkOne(git: Git, one: One): Promise<string | null> {
  const { from, to, place, path } = one
  const why = await moveObstacle(git, one)
  if (why !== null) return why
  const [source, target] = [join(from, path), join(to, path)]
  await mkdir(dirname(target), { recursive: true })
  if (await isIgnored(git, place, path)) {
    await symlink(source, target)
    return null
  }
  await mkdir(target)
  for (const name of await readdir(source)) await symlink(join(source, name), join(target, name))
  return null
}

async function copyOne(git: Git, one: One): Promise<string | null> {
  const { from, to, path } = one
  const why = await moveObstacle(git, one)
  if (why !== null) return why
  await mkdir(dirname(join(to, path)), { recursive: true })
  // A child process copies the files. This process has the store open, and must not open files that may be the store.
  const { code, stderr } = await runProgram('cp', ['-RP', '--', join(from, path), join(to, path)], { cwd: to })
  return code === 0 ? null : (stderr.split('\n')[0] ?? 'it could not be copied')
}

/**
 * Why a path is left out: it does not exist, the path in the worktree is taken, or git would report the file as a
 * change.
 */
async function moveObstacle(git: Git, { from, to, place, path }: One): Promise<string | null> {
  const source = await stat(join(from, path)).catch(() => null)
  if (source === null) return 'the file does not exist in the repository'
  if ((await lstat(join(to, path)).catch(() => null)) !== null) return 'it already exists'
  return (await isIgnored(git, place, source.isDirectory() ? `${path}/` : path)) ? null : 'git does not ignore it'
}

const isIgnored = async (git: Git, place: GitPlace, path: string): Promise<boolean> =>
  (await git.ask(place, 'check-ignore', '--quiet', '--no-index', '--', path)) !== null
