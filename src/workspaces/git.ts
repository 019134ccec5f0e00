/**
 * git, as the board runs it: in a repository of the user's, but with nothing of whoever started us. No variable of ours
 * points it elsewhere, no hook runs, nothing is asked, and what it says is in one language.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ownEnvironment } from '../config/environment.ts'
import type { Environment } from '../config/environment.ts'
import { runProgram } from './run-program.ts'
import type { ProgramCall, Ran } from './run-program.ts'
import { WorkspaceFault } from './workspace-fault.ts'

/** The folder it is asked in, with what else it is given. */
export type Where = string | Pick<ProgramCall, 'cwd' | 'env' | 'stdin' | 'maxBytes'>

export interface Git {
  /** What it prints; a `GitFault` when it fails. Tried again while another git holds a lock. */
  run(where: Where, ...args: readonly string[]): Promise<string>
  /** The same, byte for byte: names of files may be anything. */
  bytes(where: Where, ...args: readonly string[]): Promise<Buffer>
  /** The same for a question that may have no answer: null when it fails. */
  ask(where: Where, ...args: readonly string[]): Promise<string | null>
}

export class GitFault extends WorkspaceFault {
  readonly exitCode: number | null

  constructor(words: string, exitCode: number | null, options?: { readonly cause?: unknown }) {
    super(words, options)
    this.exitCode = exitCode
  }
}

interface GitOptions {
  readonly env?: Environment
  /** Settings of this git alone, as `name=value`. */
  readonly settings?: readonly string[]
  readonly signal?: AbortSignal
  /** How long another git is waited for. */
  readonly patienceMs?: number
  /** How long one may take; with a signal, until that. */
  readonly timeoutMs?: number
}

/** Programs and habits that a repository, or its user, may have set for people at a terminal. */
const QUIET = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false']
const CONFIG = QUIET.flatMap((setting) => ['-c', setting])

const SETTINGS: Environment = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
}

const LOCKED = /Unable to create '[^']*\.lock'|could not lock config file|Another git process seems to be running/i
/** Two that list and make worktrees at once see each other half made. */
const HALF_MADE = /failed to read .*worktrees\/|could not create leading directories|unable to read HEAD of worktree/i
const NO_SPACE = /No space left on device|Disk quota exceeded/i

const PATIENCE_MS = 20_000
const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 500

/** Where git finds what its user has set. */
const USERS: readonly string[] = ['HOME', 'XDG_CONFIG_HOME']

/**
 * git as its user has set it up, which is how worktrees are made: whose folders are safe, how lines end, what is stored
 * elsewhere. Otherwise what nobody has touched would count as changed. Only what they have it ignore wherever they are
 * is not ignored: a repository says what is no work of its own, and what else lies there may be somebody's.
 */
export const usersGit = (): Git =>
  gitWith({
    env: Object.fromEntries(Object.entries(ownEnvironment()).filter(([name]) => USERS.includes(name))),
    settings: ['core.excludesFile=/dev/null'],
  })

export function gitWith(options: GitOptions = {}): Git {
  const { env = {}, settings = [], signal, patienceMs = PATIENCE_MS, timeoutMs } = options
  const config = [...CONFIG, ...settings.flatMap((setting) => ['-c', setting])]
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  const limit = timeoutMs ?? (signal === undefined ? undefined : null)
  const once = async (where: Where, args: readonly string[]): Promise<Buffer> => {
    const call = typeof where === 'string' ? { cwd: where } : where
    const ran = await runProgram('git', [...config, ...args], {
      ...call,
      env: { ...clean, ...SETTINGS, ...call.env },
      signal,
      ...(limit === undefined ? {} : { timeoutMs: limit }),
    })
    if (ran.code === 0) return ran.stdout
    throw faultOf(ran)
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
  return { run, bytes, ask }
}

/** Its last words say what was wrong; those before tell of progress. */
const LAST_LINES = 8

function faultOf({ code, stderr, error }: Ran): GitFault {
  const said = stderr.split('\n').slice(-LAST_LINES).join('\n')
  const text = said === '' ? `git ended with exit ${code ?? '?'}` : said
  const cause = NO_SPACE.test(stderr) ? Object.assign(new Error(text), { code: 'ENOSPC' }) : error
  return new GitFault(text, code, cause === null ? {} : { cause })
}
