/** OpenCode's permission rules, for its CLI and for ACP. */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isOutside } from '../../util/paths.ts'
import type { Job } from '../harness.ts'
import { readableFolders, spellings } from '../readable-folders.ts'

/**
 * The rules of an agent with few permissions. They use `deny` and not `ask`, because no person can answer, and a
 * refused question ends the turn.
 */
const RESTRICTED = { edit: 'deny', bash: 'deny', external_directory: 'deny', doom_loop: 'deny' } as const
const PERMISSION_RULES = {
  read: RESTRICTED,
  ask: RESTRICTED,
  edit: { ...RESTRICTED, edit: 'allow' },
  full: { edit: 'allow', bash: 'allow', webfetch: 'allow', external_directory: 'allow', doom_loop: 'allow' },
} as const

/** A configuration that OpenCode applies on top of the user's own. */
export const opencodeRules = (job: Job) => ({
  autoupdate: false,
  share: 'disabled',
  permission: permissionsOf(job),
})

/**
 * Builds the permission rules. OpenCode may read some folders outside its workspace, but not change them. If several
 * rules match, OpenCode uses the last rule.
 */
function permissionsOf(job: Job): object {
  const basic = PERMISSION_RULES[job.agent.permissions]
  const folders = readableFolders(job)
  if (folders.length === 0 || job.agent.permissions === 'full') return basic
  return {
    ...basic,
    external_directory: { '*': basic.external_directory, ...rules(folders.map(below), 'allow') },
    edit: job.agent.permissions === 'edit' ? editRules(job.workspace, folders) : basic.edit,
  }
}

/**
 * Builds the rules for edits. OpenCode matches a file by its path relative to the top of the repository, or to `/`
 * outside a repository. One rule denies all paths outside the repository. Inside, one rule for each readable folder
 * denies changes.
 */
function editRules(workspace: string, folders: readonly string[]): Rules {
  const tops = ['/', ...spellings(workspace).flatMap(repositoriesAround)]
  const from = (top: string, places: readonly string[]): readonly string[] =>
    places.filter((place) => place !== top && !isOutside(top, place)).map((place) => below(relative(top, place)))
  const denied = tops.flatMap((top) => from(top, folders))
  // A folder with a `deny` rule may contain the workspace, so another rule allows the workspace again.
  const allowed = tops.flatMap((top) => from(top, spellings(workspace)))
  return { '*': 'allow', '../*': 'deny', ...rules(denied, 'deny'), ...rules(allowed, 'allow') }
}

type Rules = Readonly<Record<string, 'allow' | 'deny'>>

const rules = (patterns: readonly string[], action: 'allow' | 'deny'): Rules =>
  Object.fromEntries(patterns.map((pattern) => [pattern, action]))

function repositoriesAround(folder: string): readonly string[] {
  const above = dirname(folder)
  const around = above === folder ? [] : repositoriesAround(above)
  return existsSync(join(folder, '.git')) ? [folder, ...around] : around
}

/** A pattern for everything in a folder. */
const below = (folder: string): string => `${folder.replaceAll('*', '?')}/*`
