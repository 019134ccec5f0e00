/** The folders in which the skills of a card are searched. They are in the data folder and in the card's repository. */
import { access, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inHome } from '../../config/home.ts'
import type { Workspace } from '../../core/task.ts'
import type { SkillFolder } from './skill.ts'

/** The folders of a repository in which agent CLIs keep skills. */
export const REPOSITORY_FOLDERS = ['.agents', '.claude'] as const

/**
 * The folder of the user's own skills. This folder is searched first, so that a repository cannot replace the user's
 * skills.
 */
export const homeSkillFolder = (home: string): SkillFolder => ({
  folder: inHome.skills(home),
  from: 'home',
  within: null,
})

/**
 * The directory or repository that a card names. This is null for a scratch card. The value is known before the card
 * has a workspace.
 */
export const cardFolder = ({ kind, path, repo }: Pick<Workspace, 'kind' | 'path' | 'repo'>): string | null =>
  kind === 'dir' ? path : kind === 'worktree' ? repo : null

/** The skill folders between a folder and the top of its repository, nearest first. */
export async function repositorySkillFolders(folder: string | null): Promise<readonly SkillFolder[]> {
  const start = folder === null ? null : await realpath(folder).catch(() => null)
  if (start === null) return []
  const folders = await foldersUpToTop(start)
  const within = folders.at(-1) ?? start
  return folders.flatMap((one) =>
    REPOSITORY_FOLDERS.map((kind) => ({ folder: join(one, kind, 'skills'), from: 'repository' as const, within })),
  )
}

/**
 * Returns the folder and its parent folders, up to the root of the repository. Outside a repository, returns only the
 * folder itself.
 */
export async function foldersUpToTop(start: string): Promise<readonly string[]> {
  const folders: string[] = []
  for (let at = start; ; at = dirname(at)) {
    folders.push(at)
    if (await exists(join(at, '.git'))) return folders
    if (dirname(at) === at) return [start]
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
