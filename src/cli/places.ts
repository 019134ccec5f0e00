/** Flags that name a place on this machine. */
import { isAbsolute } from 'node:path'
import { expandTilde } from '../config/expand-tilde.ts'
import { parseWorkspace } from '../core/input/workspace-text.ts'
import type { WorkspaceText } from '../core/input/workspace-text.ts'
import { badValue, file, filling } from './flags.ts'
import type { Flag } from './command.ts'

/** Somebody else works there, from another folder: a relative path would mean another place. */
function absolute(typed: string, example: string): string {
  const path = expandTilde(typed.trim())
  if (path === '') throw badValue(`a path must follow, such as ${example}`)
  if (!isAbsolute(path)) throw badValue(`${path} is relative, give an absolute path such as ${example}`)
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
      throw badValue('write scratch, dir:/absolute/path, worktree or worktree:/path/of/repository')
  }
}

export const workspace = (describe?: string): Flag<WorkspaceText> => ({
  value: '<where>',
  describe,
  repeatable: false,
  completes: 'workspace',
  read: (given) => readWorkspace(given.at(-1) ?? ''),
})

/** Skills of a repository are for cards that work there. */
export const around: Flag<string> = filling(
  'folder',
  file('a folder whose repository counts too; without it the one you are in'),
)
