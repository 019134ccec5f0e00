/** The flags whose value is a folder on this machine. */
import { isAbsolute } from 'node:path'
import { expandTilde } from '../util/paths.ts'
import { parseWorkspace } from '../core/input/workspace-text.ts'
import type { WorkspaceText } from '../core/input/workspace-text.ts'
import { badValue, filling, folder } from './flags.ts'
import type { Flag } from './command.ts'

/** Checks that a path is absolute. Agents start in another folder, where a relative path would have another meaning. */
function absolute(typed: string, example: string): string {
  const path = expandTilde(typed.trim())
  if (path === '') throw badValue(`add a path, such as ${example}`)
  if (!isAbsolute(path)) throw badValue(`${path} is relative: use an absolute path such as ${example}`)
  return path
}

export function readWorkspace(typed: string): WorkspaceText {
  const found = parseWorkspace(typed)
  switch (found?.kind) {
    case 'scratch':
      return found
    case 'dir':
      return { ...found, path: found.path === null ? null : absolute(found.path, 'dir:/srv/site') }
    case 'worktree':
      return { ...found, repo: found.repo === null ? null : absolute(found.repo, 'worktree:/srv/repo') }
    case undefined:
      throw badValue('use scratch, dir:/absolute/path, worktree or worktree:/path/of/repository')
  }
}

export const workspace = (describe?: string): Flag<WorkspaceText> => ({
  value: '<where>',
  describe,
  repeatable: false,
  completes: 'workspace',
  read: (given) => readWorkspace(given.at(-1) ?? ''),
})

export const repoFolder: Flag<string> = filling(
  'folder',
  folder('also show the skills of this repository (default: the current one)'),
)
