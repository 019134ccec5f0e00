/**
 * git, as the board runs it: in a repository of the user's, but with nothing of whoever started us. No variable of ours
 * points it elsewhere, no hook runs, nothing is asked, and what it says is in one language.
 */
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../config/environment.ts'
import { WorkspaceFault } from './workspace-fault.ts'

export interface Git {
  /** What it prints; a `GitFault` when it fails. Tried again while another git holds a lock. */
  run(cwd: string, ...args: readonly string[]): Promise<string>
  /** The same for a question that may have no answer: null when it fails. */
  ask(cwd: string, ...args: readonly string[]): Promise<string | null>
}

export class GitFault extends WorkspaceFault {
  readonly exitCode: number | null

  constructor(words: string, exitCode: number | null, options?: { readonly cause?: unknown }) {
    super(words, options)
    this.exitCode = exitCode
  }
}

interface GitOptions {
  readonly env: Environment
  readonly signal: AbortSignal
  /** How long another git is waited for. */
  readonly patienceMs?: number
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
/** Of what it prints, more than any answer we ask for. */
const MOST_BYTES = 64 * 1024 * 1024

export function gitWith({ env, signal, patienceMs = PATIENCE_MS }: GitOptions): Git {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  const once = (cwd: string, args: readonly string[]) =>
    runGit([...CONFIG, ...args], { cwd, env: { ...clean, ...SETTINGS }, signal })
  const run: Git['run'] = async (cwd, ...args) => {
    const deadline = performance.now() + patienceMs
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        return await once(cwd, args)
      } catch (error) {
        const isTaken = error instanceof GitFault && (LOCKED.test(error.message) || HALF_MADE.test(error.message))
        if (!isTaken || performance.now() + waitMs > deadline) throw error
        await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
      }
    }
  }
  const ask: Git['ask'] = (cwd, ...args) =>
    once(cwd, args).catch((error: unknown) => {
      if (error instanceof GitFault && error.exitCode !== null) return null
      throw error
    })
  return { run, ask }
}

interface Start {
  readonly cwd: string
  readonly env: Environment
  readonly signal: AbortSignal
}

function runGit(args: readonly string[], { cwd, env, signal }: Start): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd, env: { ...env }, signal, stdio: ['ignore', 'pipe', 'pipe'] })
    const out: Buffer[] = []
    const words: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MOST_BYTES) out.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => words.push(chunk))
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(error)
      else if (error.code === 'ENOENT')
        reject(new GitFault('git is not installed here, or not on the PATH: install it.', null))
      else reject(error)
    })
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve(Buffer.concat(out).toString())
      else reject(faultOf(Buffer.concat(words).toString(), code, killedBy))
    })
  })
}

/** Its last words say what was wrong; those before tell of progress. */
const LAST_LINES = 8

function faultOf(words: string, code: number | null, killedBy: string | null): Error {
  const said = words.trim().split('\n').slice(-LAST_LINES).join('\n')
  const text = said === '' ? `git ended with ${killedBy ?? `exit ${code ?? '?'}`}` : said
  const cause = NO_SPACE.test(words) ? Object.assign(new Error(text), { code: 'ENOSPC' }) : undefined
  return new GitFault(text, code, { cause })
}
