/** Starts git in a clean environment, and turns its failures into faults. */
import { isAbsolute } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { ProgramCall, ProgramResult } from '../../processes/run-program.ts'
import { reportsFullDisk } from '../../util/full-disk.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

export class GitFault extends WorkspaceFault {
  readonly exitCode: number | null
  /** Some commands print their answer although they fail, so the output is kept. */
  readonly stdout: Buffer

  constructor(message: string, ran: Pick<ProgramResult, 'code' | 'stdout'>, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.exitCode = ran.code
    this.stdout = ran.stdout
  }
}

export interface GitProcessOptions {
  readonly env?: Environment
  readonly signal?: AbortSignal
  /** How long one call may take. The default is that of `runProgram`, or no limit if there is a signal. */
  readonly timeoutMs?: number
}

/** Runs git with these arguments and returns its output. */
export type StartGit = (args: readonly string[], call: ProgramCall) => Promise<Buffer>

const SETTINGS: Environment = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  // Makes ssh use askpass even on a terminal, because the user's own ssh command might not set batch mode.
  SSH_ASKPASS_REQUIRE: 'force',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  // With replace refs, an agent could change the content of a commit without changing its hash.
  GIT_NO_REPLACE_OBJECTS: '1',
  // A path that cannot exist. Git prints a warning if the graft file exists.
  GIT_GRAFT_FILE: '/dev/null/none',
}

export function makeStartGit({ env = {}, signal, timeoutMs }: GitProcessOptions): StartGit {
  const clean = cleanEnvironment(env)
  const usual = timeoutMs ?? (signal === undefined ? undefined : null)
  return async (args, call) => {
    const limit = call.timeoutMs ?? usual
    const ran = await runProgram('git', args, {
      ...call,
      env: { ...clean, ...SETTINGS, ...call.env },
      signal,
      ...(limit === undefined ? {} : { timeoutMs: limit }),
    })
    if (ran.code === 0) return ran.stdout
    throw faultOf(ran)
  }
}

/**
 * Drops variables that begin with `GIT_`, because they could redirect git. Also drops relative entries of the PATH,
 * because they could run programs of the work tree.
 */
function cleanEnvironment(env: Environment): Environment {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  if (clean['PATH'] === undefined) return clean
  return { ...clean, PATH: clean['PATH'].split(':').filter(isAbsolute).join(':') }
}

/** How many of git's last lines to show. They report the error; earlier lines report progress. */
const LAST_LINES = 8

function faultOf(ran: ProgramResult): GitFault {
  const { code, stderr, error } = ran
  const printed = stderr.split('\n').slice(-LAST_LINES).join('\n')
  const text = printed === '' ? `git exited with code ${code ?? '?'}` : printed
  const cause = reportsFullDisk(stderr) ? Object.assign(new Error(text), { code: 'ENOSPC' }) : error
  return new GitFault(text, ran, cause === null ? {} : { cause })
}
