/** Starts git in a clean environment, and converts its failures to `GitFault` errors. */
import { isAbsolute } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { ProgramCall, ProgramResult } from '../../processes/run-program.ts'
import { reportsFullDisk } from '../../util/full-disk.ts'
import { WorkspaceFault } from '../workspace-fault.ts'

export class GitFault extends WorkspaceFault {
  readonly exitCode: number | null
  /** The output of the failed command. Some commands print their result although they fail. */
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
  /** The time limit of a call. The default is the limit of `runProgram`. With a signal, there is no limit. */
  readonly timeoutMs?: number
}

/** Runs git with these arguments and returns its output. */
export type StartGit = (args: readonly string[], call: ProgramCall) => Promise<Buffer>

const SETTINGS: Environment = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  // Keeps ssh from asking questions on the terminal, even if the user's own ssh command does not set batch mode.
  SSH_ASKPASS_REQUIRE: 'force',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  // Makes git ignore replace refs. With a replace ref, an agent could change the content of a commit without changing
  // its hash.
  GIT_NO_REPLACE_OBJECTS: '1',
  // Makes git ignore the graft file. This path cannot exist, so git also prints no warning about grafts.
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
 * Removes variables that begin with `GIT_`, because they could redirect git. Also removes relative entries of the PATH,
 * because they could run programs in the work tree.
 */
function cleanEnvironment(env: Environment): Environment {
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  if (clean['PATH'] === undefined) return clean
  return { ...clean, PATH: clean['PATH'].split(':').filter(isAbsolute).join(':') }
}

/** The number of git's last lines to show. The last lines contain the error; earlier lines report progress. */
const LAST_LINES = 8

function faultOf(ran: ProgramResult): GitFault {
  const { code, stderr, error } = ran
  const printed = stderr.split('\n').slice(-LAST_LINES).join('\n')
  const text = printed === '' ? `git exited with code ${code ?? '?'}` : printed
  const cause = reportsFullDisk(stderr) ? Object.assign(new Error(text), { code: 'ENOSPC' }) : error
  return new GitFault(text, ran, cause === null ? {} : { cause })
}
