/**
 * The one way to run git. Every call names the git directory and the work tree, so git never follows a `.git` file that
 * an agent wrote. Git reads the user's global and system configuration, and of the repository's own only settings that
 * name no program (`safe-config.ts`). No hook runs, git asks no questions, and it prints in one language.
 */
import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownEnvironment } from '../../config/environment.ts'
import type { Environment } from '../../config/environment.ts'
import { reportsFullDisk } from '../../util/full-disk.ts'
import { readFile } from '../../util/guarded-files.ts'
import type { GitPlace } from './git-place.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { ProgramCall, Ran } from '../../processes/run-program.ts'
import { makeSafeCommon, parseSettings, safeSettings } from './safe-config.ts'
import type { Setting } from './safe-config.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

/** The repository, or a whole call. */
export type Where = GitPlace | GitCall

interface GitCall extends Pick<ProgramCall, 'env' | 'stdin' | 'maxBytes'> {
  readonly place: GitPlace
  /** A folder of the work tree. Default: its top. */
  readonly cwd?: string
}

export interface Git {
  /** The output; throws a `GitFault` when git fails. Retried while another git holds a lock. */
  run(where: Where, ...args: readonly string[]): Promise<string>
  /** The same as bytes: file names may have any encoding. */
  bytes(where: Where, ...args: readonly string[]): Promise<Buffer>
  /** The same for a question that may have no answer: null when git fails. */
  ask(where: Where, ...args: readonly string[]): Promise<string | null>
  /** The settings in one configuration file; files that it includes are not read. */
  settings(file: string): Promise<readonly Setting[]>
}

export class GitFault extends WorkspaceFault {
  readonly exitCode: number | null
  /** Some commands print their answer and still fail. */
  readonly stdout: Buffer

  constructor(words: string, ran: Pick<Ran, 'code' | 'stdout'>, options?: { readonly cause?: unknown }) {
    super(words, options)
    this.exitCode = ran.code
    this.stdout = ran.stdout
  }
}

interface GitOptions {
  /** The data folder: the reduced configurations of repositories are in it. */
  readonly home: string
  readonly env?: Environment
  /** Settings of this git alone, as `name=value`. */
  readonly settings?: readonly string[]
  readonly signal?: AbortSignal
  /** How long to wait for a lock of another git. */
  readonly patienceMs?: number
  /** How long one call may take; with a signal, until the signal. */
  readonly timeoutMs?: number
}

/**
 * Overrides of the user's global settings. In a submodule git would read the submodule's own configuration, so nothing
 * recurses.
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
const CONFIG = QUIET.flatMap((setting) => ['-c', setting])

/** These run a git in each submodule that `.gitmodules` asks them to look into. Only an option on the call overrides it. */
const LOOK_INTO_SUBMODULES: readonly string[] = ['status', 'diff', 'diff-files', 'diff-index']
const staysOut = ([command = '', ...rest]: readonly string[]): readonly string[] =>
  LOOK_INTO_SUBMODULES.includes(command) ? [command, '--ignore-submodules=dirty', ...rest] : [command, ...rest]

const SETTINGS: Environment = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  // Also if there is a terminal to ask at: the user's own ssh command may not be in batch mode.
  SSH_ASKPASS_REQUIRE: 'force',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  // No replace refs: with them an agent could change the content of a commit without changing its hash.
  GIT_NO_REPLACE_OBJECTS: '1',
  // A path that cannot exist: git warns of any file.
  GIT_GRAFT_FILE: '/dev/null/none',
}

const LOCKED = /Unable to create '[^']*\.lock'|could not lock config file|Another git process seems to be running/i
/** Two processes that list and make worktrees at once see each other's half-made ones. */
const HALF_MADE = /failed to read .*worktrees\/|could not create leading directories|unable to read HEAD of worktree/i

const PATIENCE_MS = 20_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

/** Where git finds the user's configuration. */
const USERS: readonly string[] = ['HOME', 'XDG_CONFIG_HOME', 'PATH']

/**
 * Git with the user's configuration, as worktrees are made: otherwise line endings and filters would make untouched
 * files count as changed. The user's global ignore file does not apply: an agent's file may match it by accident.
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
  const { home, settings = [], signal, patienceMs = PATIENCE_MS, timeoutMs } = options
  const config = [...CONFIG, ...settings.flatMap((setting) => ['-c', setting])]
  const clean = cleanEnvironment(options.env ?? {})
  const limit = timeoutMs ?? (signal === undefined ? undefined : null)
  const start = async (args: readonly string[], call: ProgramCall): Promise<Buffer> => {
    const ran = await runProgram('git', args, {
      ...call,
      env: { ...clean, ...SETTINGS, ...call.env },
      signal,
      ...(limit === undefined ? {} : { timeoutMs: limit }),
    })
    if (ran.code === 0) return ran.stdout
    throw faultOf(ran)
  }
  const readSettings: Git['settings'] = async (file) => {
    const found = await stat(file).catch(() => null)
    if (found === null) return []
    if (!found.isFile() || found.size > CONFIG_BYTES) throw new WorkspaceFault(`${file} is not a configuration file.`)
    // Git gets the text, not the path: the file may change meanwhile.
    const stdin = await readFile(file)
    const args = ['--git-dir=/dev/null', 'config', '--file', '-', '--no-includes', '--null', '--list']
    return parseSettings((await start(args, { cwd: '/', stdin })).toString())
  }
  /** Read with the reduced configuration, so that only the user's global and system settings count. */
  const usersSsh = async (gitDir: string, folder: string): Promise<Environment> => {
    const asked = [`--git-dir=${gitDir}`, 'config', '--get', 'core.sshCommand']
    const command = await start(asked, { cwd: '/', env: { GIT_COMMON_DIR: folder } }).catch(() => '')
    return command.length === 0 ? {} : { GIT_SSH_COMMAND: command.toString().replace(/\n$/, '') }
  }
  const safeCommon = makeCommons(home, { readSettings, usersSsh })
  const once = async (where: Where, args: readonly string[]): Promise<Buffer> => {
    const { place, cwd, env, ...call } = 'place' in where ? where : { place: where, cwd: undefined, env: {} }
    const { gitDir, workTree } = place
    const common = await safeCommon(place)
    const at = [`--git-dir=${gitDir}`, ...(workTree === null ? [] : [`--work-tree=${workTree}`])]
    const own = [...common.settings, `core.bare=${workTree === null}`].flatMap((setting) => ['-c', setting])
    return start([...at, ...config, ...own, ...staysOut(args)], {
      ...call,
      cwd: cwd ?? workTree ?? gitDir,
      env: { ...common.ssh, ...env, GIT_COMMON_DIR: common.folder },
    })
  }
  const bytes: Git['bytes'] = async (where, ...args) => {
    const deadline = performance.now() + patienceMs
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        return await once(where, args)
      } catch (error) {
        const isTaken = error instanceof GitFault && (LOCKED.test(error.message) || HALF_MADE.test(error.message))
        if (!isTaken || performance.now() + waitMs > deadline) throw error
        await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
      }
    }
  }
  const run: Git['run'] = async (where, ...args) => (await bytes(where, ...args)).toString()
  const ask: Git['ask'] = async (where, ...args) => {
    try {
      return (await once(where, args)).toString()
    } catch (error) {
      if (error instanceof GitFault && error.exitCode !== null) return null
      throw error
    }
  }
  return { run, bytes, ask, settings: readSettings }
}

/** Drops `GIT_` variables, which would redirect git, and relative PATH entries, which would run programs of the work tree. */
function cleanEnvironment(env: Environment): Environment {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  if (clean['PATH'] === undefined) return clean
  return { ...clean, PATH: clean['PATH'].split(':').filter(isAbsolute).join(':') }
}

interface SafeCommon {
  readonly folder: string
  /** Of this worktree alone, as `name=value`. */
  readonly settings: readonly string[]
  /** The user's own ssh command: git fetches missing submodules, and missing objects of a partial clone. */
  readonly ssh: Environment
}

interface ConfigReader {
  readonly readSettings: Git['settings']
  readonly usersSsh: (gitDir: string, folder: string) => Promise<Environment>
}

const CONFIG_BYTES = 1024 * 1024
const SPARSE = ['core.sparsecheckout', 'core.sparsecheckoutcone']

/** Remembers each repository's reduced configuration until the file that it comes from changes. */
function makeCommons(home: string, reader: ConfigReader): (place: GitPlace) => Promise<SafeCommon> {
  const { readSettings: read, usersSsh } = reader
  const known = new Map<string, { readonly stamp: string; readonly made: Promise<SafeCommon> }>()
  const make = async ({ gitDir, common, isForeign = false }: GitPlace): Promise<SafeCommon> => {
    const [shared, own] = await Promise.all([read(join(common, 'config')), read(join(gitDir, 'config.worktree'))])
    const folder = await makeSafeCommon({ home, common, isForeign }, safeSettings(shared, { isForeign }))
    const sparse = safeSettings(own).filter(({ name }) => SPARSE.includes(name))
    const settings = sparse.map(({ name, value }) => `${name}=${value ?? 'true'}`)
    return { folder, settings, ssh: await usersSsh(gitDir, folder) }
  }
  return async (place) => {
    const files = [join(place.common, 'config'), join(place.gitDir, 'config.worktree')]
    const stamp = (await Promise.all(files.map(stampOf))).join()
    const found = known.get(place.gitDir)
    if (found?.stamp === stamp) return found.made
    const made = make(place)
    known.set(place.gitDir, { stamp, made })
    made.catch(() => known.delete(place.gitDir))
    return made
  }
}

async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => null)
  return found === null ? '' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`
}

/** The last lines say what went wrong; those before report progress. */
const LAST_LINES = 8

function faultOf(ran: Ran): GitFault {
  const { code, stderr, error } = ran
  const said = stderr.split('\n').slice(-LAST_LINES).join('\n')
  const text = said === '' ? `git ended with exit ${code ?? '?'}` : said
  const cause = reportsFullDisk(stderr) ? Object.assign(new Error(text), { code: 'ENOSPC' }) : error
  return new GitFault(text, ran, cause === null ? {} : { cause })
}
