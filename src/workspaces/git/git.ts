/**
 * The only way to run git. Every call names the git directory and the work tree, so git never follows a `.git` file that an
 * agent wrote. Git reads the user's global and system configuration. From the repository's own configuration it reads only
 * settings that name no program (`safe-config.ts`). No hook runs, git asks no questions, and it prints in one language.
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

/** Where git runs: a repository, or a repository with a folder, environment and input for this call. */
export type Where = GitPlace | GitCall

interface GitCall extends Pick<ProgramCall, 'env' | 'stdin' | 'maxBytes' | 'timeoutMs' | 'wholeGroup'> {
  readonly place: GitPlace
  /** A folder of the work tree. The default is its top folder. */
  readonly cwd?: string
}

export interface Git {
  /** Returns the output, or throws a `GitFault`. Retries while another git process holds a lock. */
  run(where: Where, ...args: readonly string[]): Promise<string>
  /** Like `run`, but returns bytes, because file names may have any encoding. */
  bytes(where: Where, ...args: readonly string[]): Promise<Buffer>
  /** Like `run`, but returns null if git fails, and does not retry. */
  ask(where: Where, ...args: readonly string[]): Promise<string | null>
  /** The settings in one configuration file; files that it includes are not read. */
  settings(file: string): Promise<readonly GitSetting[]>
}

interface GitOptions extends GitProcessOptions {
  /** The data folder, which holds the reduced configurations of repositories. */
  readonly home: string
  /** Settings that apply only to this instance, as `name=value`. */
  readonly settings?: readonly string[]
  /** How long to wait for a lock of another git process. */
  readonly patienceMs?: number
}

/**
 * Settings that override the user's global ones. Git does not recurse into submodules, because it would read the
 * submodule's own configuration there.
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
 * These commands run git in each submodule that `.gitmodules` names. Only an option on the command line prevents that.
 */
const LOOK_INTO_SUBMODULES: readonly string[] = ['status', 'diff', 'diff-files', 'diff-index']
const staysOut = ([command = '', ...rest]: readonly string[]): readonly string[] =>
  LOOK_INTO_SUBMODULES.includes(command) ? [command, '--ignore-submodules=dirty', ...rest] : [command, ...rest]

const LOCKED = /Unable to create '[^']*\.lock'|could not lock config file|Another git process seems to be running/i
/** Errors of a git process that lists worktrees while another git process makes a worktree. */
const HALF_MADE = /failed to read .*worktrees\/|could not create leading directories|unable to read HEAD of worktree/i

const PATIENCE_MS = 20_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

/** Variables that lead git to the user's configuration and programs. */
const USERS: readonly string[] = ['HOME', 'XDG_CONFIG_HOME', 'PATH']

/**
 * Git with the user's configuration. Worktrees are made with it, because with other line endings or filters, untouched
 * files would count as changed. The user's global ignore file does not apply, because it could match a file of an agent
 * by accident.
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

function startIn(
  start: StartGit,
  common: SafeCommon,
  { place, cwd, env, config, args, ...call }: PlacedCall,
): Promise<Buffer> {
  const { gitDir, workTree } = place
  const at = [`--git-dir=${gitDir}`, ...(workTree === null ? [] : [`--work-tree=${workTree}`])]
  const settings = [...config, ...common.settings, `core.bare=${workTree === null}`]
  return start([...at, ...settings.flatMap((setting) => ['-c', setting]), ...staysOut(args)], {
    ...call,
    cwd: cwd ?? workTree ?? gitDir,
    env: { ...common.ssh, ...env, GIT_COMMON_DIR: common.folder },
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
 * Returns null if git exits with an error. Still throws if git could not be started or was killed, because it then gave
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
