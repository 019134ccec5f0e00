/** Flags that name a place on this machine. */
import { isAbsolute } from 'node:path'
import { expandTilde } from '../config/expand-tilde.ts'
import { badValue } from './flags.ts'
import type { Flag } from './verb.ts'

type Workspace =
  | { readonly kind: 'scratch'; readonly path: null; readonly repo: null }
  | { readonly kind: 'dir'; readonly path: string | null; readonly repo: null }
  | { readonly kind: 'worktree'; readonly path: null; readonly repo: string | null }

/** Somebody else works there, from another folder: a relative path would mean another place. */
function absolute(typed: string, example: string): string {
  const path = expandTilde(typed.trim())
  if (path === '') throw badValue(`a path must follow, such as ${example}`)
  if (!isAbsolute(path)) throw badValue(`${path} is relative, give an absolute path such as ${example}`)
  return path
}

export function readWorkspace(typed: string): Workspace {
  const found = /^(scratch|dir|worktree)(?::(.*))?$/s.exec(typed.trim())
  const path = found?.[2]
  if (found?.[1] === 'scratch' && path === undefined) return { kind: 'scratch', path: null, repo: null }
  if (found?.[1] === 'dir')
    return { kind: 'dir', path: path === undefined ? null : absolute(path, 'dir:/srv/site'), repo: null }
  if (found?.[1] === 'worktree')
    return { kind: 'worktree', path: null, repo: path === undefined ? null : absolute(path, 'worktree:/srv/repo') }
  throw badValue('write scratch, dir:/absolute/path, worktree or worktree:/path/of/repository')
}

export const workspace = (describe?: string): Flag<Workspace> => ({
  value: '<where>',
  describe,
  repeatable: false,
  completes: 'workspace',
  read: (given) => readWorkspace(given.at(-1) ?? ''),
})
