/**
 * Caches the reduced copy of each repository's common directory. Git uses this copy, because the configuration in it
 * names no program (`safe-config.ts`).
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { readFile } from '../../util/guarded-files.ts'
import { WorkspaceFault } from '../workspace-fault.ts'
import type { GitPlace } from './git-place.ts'
import type { StartGit } from './git-process.ts'
import { makeSafeCommon, parseSettings, safeSettings } from './safe-config.ts'
import type { GitSetting } from './safe-config.ts'

export interface SafeCommon {
  readonly folder: string
  /** The settings of this worktree only, as `name=value`. */
  readonly settings: readonly string[]
  /** Whether git may fetch missing objects, as in a partial clone. */
  readonly hasRemotes: boolean
  /**
   * The user's own ssh command, as an environment variable. Git needs the command to fetch missing submodules, and the
   * missing objects of a partial clone.
   */
  readonly ssh: () => Promise<Environment>
}

const CONFIG_BYTES = 1024 * 1024
const SPARSE = ['core.sparsecheckout', 'core.sparsecheckoutcone']

/** The settings of files that this process has read, so that it starts git once for each version of a file. */
const parsed = new Map<string, { readonly stamp: string; readonly settings: readonly GitSetting[] }>()
const MOST_PARSED = 1_000

/** The settings in one configuration file, without the files that it includes. */
export async function readSettings(start: StartGit, file: string): Promise<readonly GitSetting[]> {
  const stamp = await stampOf(file)
  const known = parsed.get(file)
  if (known?.stamp === stamp) return known.settings
  const settings = await parseFile(start, file)
  if (parsed.size >= MOST_PARSED) parsed.clear()
  parsed.set(file, { stamp, settings })
  return settings
}

async function parseFile(start: StartGit, file: string): Promise<readonly GitSetting[]> {
  const found = await stat(file).catch(() => null)
  if (found === null) return []
  if (!found.isFile() || found.size > CONFIG_BYTES) throw new WorkspaceFault(`${file} is not a configuration file.`)
  // Git gets the content and not the path, because another process may change the file.
  const stdin = await readFile(file)
  const args = ['--git-dir=/dev/null', 'config', '--file', '-', '--no-includes', '--null', '--list']
  return parseSettings((await start(args, { cwd: '/', stdin })).toString())
}

/** Caches the reduced copy of a repository until the repository's configuration changes. */
export function cacheSafeCommons(home: string, start: StartGit): (place: GitPlace) => Promise<SafeCommon> {
  const known = new Map<string, { readonly stamp: string; readonly made: Promise<SafeCommon> }>()
  return async (place) => {
    const files = [join(place.common, 'config'), join(place.gitDir, 'config.worktree')]
    const stamp = (await Promise.all(files.map(stampOf))).join()
    const found = known.get(place.gitDir)
    if (found?.stamp === stamp) return found.made
    const made = reduce(home, start, place)
    known.set(place.gitDir, { stamp, made })
    made.catch(() => known.delete(place.gitDir))
    return made
  }
}

async function reduce(
  home: string,
  start: StartGit,
  { gitDir, common, isForeign = false }: GitPlace,
): Promise<SafeCommon> {
  const [shared, own] = await Promise.all(
    [join(common, 'config'), join(gitDir, 'config.worktree')].map((file) => readSettings(start, file)),
  )
  const kept = safeSettings(shared ?? [], { isForeign })
  const folder = await makeSafeCommon({ home, common, isForeign }, kept)
  const sparse = safeSettings(own ?? []).filter(({ name }) => SPARSE.includes(name))
  const settings = sparse.map(({ name, value }) => `${name}=${value ?? 'true'}`)
  let ssh: Promise<Environment> | null = null
  return {
    folder,
    settings,
    hasRemotes: kept.some(({ name }) => /^remote\./i.test(name)),
    ssh: () => (ssh ??= usersSsh(start, gitDir, folder)),
  }
}

/** Reads the user's ssh command. Under the reduced configuration, only the user's global and system settings apply. */
async function usersSsh(start: StartGit, gitDir: string, folder: string): Promise<Environment> {
  const args = [`--git-dir=${gitDir}`, 'config', '--get', 'core.sshCommand']
  const command = await start(args, { cwd: '/', env: { GIT_COMMON_DIR: folder } }).catch(() => '')
  return command.length === 0 ? {} : { GIT_SSH_COMMAND: command.toString().replace(/\n$/, '') }
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null)
  return found === null ? '' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`
}
