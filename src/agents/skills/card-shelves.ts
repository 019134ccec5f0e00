/** Where the skills of a card lie: in the home, and in the repository that it works in. */
import { access, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inHome } from '../../config/home.ts'
import type { Workspace } from '../../core/task.ts'
import type { Shelf } from './skill.ts'

/** The folders of a repository that agent CLIs keep skills in. */
export const REPOSITORY_FOLDERS = ['.agents', '.claude'] as const

/** First of all the user's own: a repository cannot put something else in their place. */
export const homeShelf = (home: string): Shelf => ({ folder: inHome.skills(home), from: 'home', within: null })

/** The folder that belongs to a card before it has a workspace: scratch cards have none. */
export const folderOf = ({ kind, path, repo }: Pick<Workspace, 'kind' | 'path' | 'repo'>): string | null =>
  kind === 'dir' ? path : kind === 'worktree' ? repo : null

/** The skill folders from here up to the top of the repository, nearest first. */
export async function shelvesAround(folder: string | null): Promise<readonly Shelf[]> {
  const start = folder === null ? null : await realpath(folder).catch(() => null)
  if (start === null) return []
  const folders = await upToTop(start)
  const within = folders.at(-1) ?? start
  return folders.flatMap((one) =>
    REPOSITORY_FOLDERS.map((kind) => ({ folder: join(one, kind, 'skills'), from: 'repository' as const, within })),
  )
}

/** The folder and its parents, up to the top of the repository; outside a repository only the folder. */
export async function upToTop(start: string): Promise<readonly string[]> {
  const folders: string[] = []
  for (let at = start; ; at = dirname(at)) {
    folders.push(at)
    if (await isThere(join(at, '.git'))) return folders
    if (dirname(at) === at) return [start]
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
