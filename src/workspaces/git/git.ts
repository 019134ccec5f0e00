/**
 * The only way to run git. Every call names the git directory and the work tree, so git never follows a `.git` file
 * that an agent wrote. Git reads the user's global and system configuration. From the repository's own configuration,
 * git reads only settings that name no program (`safe-config.ts`). No hook runs, git asks no questions, and its output
 * is always in the same language.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ownEnvironment } from '../../config/environment.ts'
import type { Environment } from '../../config/environment.ts'
import type { ProgramCall } from '../../processes/run-program.ts'
import { GitFault, makeStartGit } from './git-process.ts'
import type { GitProcessOptions, StartGit } from './git-process.ts'
import type { GitPlace } from './git-place.ts'
import { cacheSafeCommons, readSettings } from './safe-common.ts'
import type { SafeCommon } from './safe-common.ts'
import type { GitSetting } from './safe-config.ts'

/** The repository in which git runs. A call may add a folder, environment variables and input. */
export type Where = GitPlace | GitCall

interface GitCall extends Pick<ProgramCall, 'env' | 'stdin' | 'maxBytes' | 'timeoutMs' | 'wholeGroup'> {
  readonly place: GitPlace
  /** The working directory of git, in the work tree. The default is the top folder. */
  readonly cwd?: string
}

export interface Git {
  /**
   * Runs git and returns its output, or throws a `GitFault`. Waits and retries while another git process holds a lock.
   */
  run(where: Where, ...args: readonly string[]): Promise<string>
  /** Like `run`, but returns bytes, because file names may have any encoding. */
  bytes(where: Where, ...args: readonly string[]): Promise<Buffer>
  /** Like `run`, but returns null if git fails, and does not retry. */
  ask(where: Where, ...args: readonly string[]): Promise<string | null>
  /** The settings in one configuration file, without the files that it includes. */
  settings(file: string): Promise<readonly GitSetting[]>
}

interface GitOptions extends GitProcessOptions {
  /** The data folder. It contains the reduced configurations of repositories. */
  readonly home: string
  /** Settings that apply only to this instance, as `name=value`. */
  readonly settings?: readonly string[]
  /** The time to wait for a lock of another git process. */
  readonly patienceMs?: number
}

/**
 * Settings that override the user's global settings. Git must not enter submodules, because it would read their
 * configuration.
 */
const QUIET = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'diff.ignoreSubmodules=dirty',
  'diff.submodule=short',
  'status.submoduleSummary=false',
]

/**
 * The commands that run git in each submodule that `.gitmodules` names. Only an option on the command line prevents
 * this.
 */
const LOOK_INTO_SUBMODULES: readonly string[] = ['status', 'diff', 'diff-files', 'diff-index']
const staysOut = ([command = '', ...rest]: readonly string[]): readonly string[] =>
  LOOK_INTO_SUBMODULES.includes(command) ? [command, '--ignore-submodules=dirty', ...rest] : [command, ...rest]

const LOCKED = /Unable to create '[^']*\.lock'|could not lock config file|Another git process seems to be running/i
/** Errors of git when it lists worktrees while another git process makes a worktree. */
const HALF_MADE = /failed to read .*worktrees\/|could not create leading directories|unable to read HEAD of worktree/i

const PATIENCE_MS = 20_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

/** Variables by which git finds the user's configuration and programs. */
const USERS: readonly string[] = ['HOME', 'XDG_CONFIG_HOME', 'PATH']

/**
 * Makes a git that reads the user's configuration. Worktrees are made with this configuration: with other line endings
 * or filters, untouched files would look changed. The user's global ignore file does not apply, because it could match
 * a file of an agent by accident.
 */
export const usersGit = (home: string, marks: Environment = {}, settings: readonly string[] = []): Git =>
  gitWith({
    home,
    env: {
      ...Object.fromEntries(Object.entries(ownEnvironment()).filter(([name]) => USERS.includes(name))),
      ...marks,
    },
    settings: ['core.excludesFile=/dev/null', ...settings],
  })

export function gitWith(options: GitOptions): Git {
  const start = makeStartGit(options)
  const safeCommon = cacheSafeCommons(options.home, start)
  const config = [...QUIET, ...(options.settings ?? [])]
  const once = async (where: Where, args: readonly string[]): Promise<Buffer> => {
    const call = 'place' in where ? where : { place: where }
    return startIn(start, await safeCommon(call.place), { ...call, config, args })
  }
  const bytes: Git['bytes'] = (where, ...args) => retryWhileLocked(() => once(where, args), options)
  return {
    bytes,
    run: async (where, ...args) => (await bytes(where, ...args)).toString(),
    ask: (where, ...args) => nullIfFailed(() => once(where, args)),
    settings: (file) => readSettings(start, file),
  }
}

interface PlacedCall extends GitCall {
  readonly config: readonly string[]
  readonly args: readonly string[]
}

async function startIn(
  start: StartGit,
  common: SafeCommon,
  { place, cwd, env, config, args, ...call }: PlacedCall,
): Promise<Buffer> {
  const { gitDir, workTree } = place
  const at = [`--git-dir=${gitDir}`, ...(workTree === null ? [] : [`--work-tree=${workTree}`])]
  const settings = [...config, ...common.settings, `core.bare=${workTree === null}`]
  const ssh = common.hasRemotes || args[0] === 'submodule' ? await common.ssh() : {}
  return start([...at, ...settings.flatMap((setting) => ['-c', setting]), ...staysOut(args)], {
    ...call,
    cwd: cwd ?? workTree ?? gitDir,
    env: { ...ssh, ...env, GIT_COMMON_DIR: common.folder },
  })
}

async function retryWhileLocked<T>(
  work: () => Promise<T>,
  { patienceMs = PATIENCE_MS, signal }: Pick<GitOptions, 'patienceMs' | 'signal'>,
): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      const isTaken = error instanceof GitFault && (LOCKED.test(error.message) || HALF_MADE.test(error.message))
      if (!isTaken || performance.now() + waitMs > deadline) throw error
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
    }
  }
}

/**
 * Returns null if git exits with an error. If git could not be started or was killed, throws an error, because git gave
 * no answer.
 */
async function nullIfFailed(work: () => Promise<Buffer>): Promise<string | null> {
  try {
    return (await work()).toString()
  } catch (error) {
    if (error instanceof GitFault && error.exitCode !== null) return null
    throw error
  }
}
