/**
 * Caches the reduced copy of each repository's common directory. Git uses the copy, which has only settings that name no
 * program (`safe-config.ts`).
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
  /** Settings of this worktree only, as `name=value`. */
  readonly settings: readonly string[]
  /**
   * The user's own ssh command, as environment. Git uses it to fetch missing submodules, and the missing objects of a
   * partial clone.
   */
  readonly ssh: Environment
}

const CONFIG_BYTES = 1024 * 1024
const SPARSE = ['core.sparsecheckout', 'core.sparsecheckoutcone']

/** The settings in one configuration file; files that it includes are not read. */
export async function readSettings(start: StartGit, file: string): Promise<readonly GitSetting[]> {
  const found = await stat(file).catch(() => null)
  if (found === null) return []
  if (!found.isFile() || found.size > CONFIG_BYTES) throw new WorkspaceFault(`${file} is not a configuration file.`)
  // Git gets the text instead of the path, because the file may change meanwhile.
  const stdin = await readFile(file)
  const args = ['--git-dir=/dev/null', 'config', '--file', '-', '--no-includes', '--null', '--list']
  return parseSettings((await start(args, { cwd: '/', stdin })).toString())
}

/** Caches each repository's reduced copy until the configuration that it comes from changes. */
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
  const folder = await makeSafeCommon({ home, common, isForeign }, safeSettings(shared ?? [], { isForeign }))
  const sparse = safeSettings(own ?? []).filter(({ name }) => SPARSE.includes(name))
  const settings = sparse.map(({ name, value }) => `${name}=${value ?? 'true'}`)
  return { folder, settings, ssh: await usersSsh(start, gitDir, folder) }
}

/** Reads the ssh command under the reduced configuration, so that only the user's global and system settings count. */
async function usersSsh(start: StartGit, gitDir: string, folder: string): Promise<Environment> {
  const args = [`--git-dir=${gitDir}`, 'config', '--get', 'core.sshCommand']
  const command = await start(args, { cwd: '/', env: { GIT_COMMON_DIR: folder } }).catch(() => '')
  return command.length === 0 ? {} : { GIT_SSH_COMMAND: command.toString().replace(/\n$/, '') }
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null)
  return found === null ? '' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`
}
