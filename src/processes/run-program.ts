/** Runs a small program, such as `git`, `tar`, `cp` or `rm`, and waits until it ends. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Environment } from '../config/environment.ts'
import { definedOnly } from '../util/objects.ts'

export interface ProgramResult {
  /** The exit code. Null means that the program was not started, was killed, or printed too much. */
  readonly code: number | null
  readonly stdout: Buffer
  /** The error output of the program. If there is no exit code, the text also gives the reason. */
  readonly stderr: string
  /** The error of the system. Null means that the program was started. */
  readonly error: Error | null
}

export interface ProgramCall {
  readonly cwd: string
  /** The complete environment of the program. PATH and LC_ALL have defaults. */
  readonly env?: Environment
  readonly stdin?: string | Buffer
  /** The timeout in milliseconds. Null means that only the signal ends the program. */
  readonly timeoutMs?: number | null
  /**
   * Whether a timeout or the signal also kills the child processes of the program, and a timeout returns at once. This
   * is needed for programs of other vendors.
   */
  readonly wholeGroup?: boolean
  /** The maximum size of the output. A program that prints more is killed, because incomplete output is useless. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * The default environment. Muster's own environment is not inherited, because its variables could change how a program
 * works.
 */
const BASE_ENVIRONMENT = { PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }
const TIMEOUT_MS = 10 * 60_000
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Runs the program. Rejects only if the signal aborts. If the program cannot be started, the result contains the error.
 */
export async function runProgram(program: string, args: readonly string[], call: ProgramCall): Promise<ProgramResult> {
  const { cwd, env = {}, stdin = '', maxBytes = MAX_BYTES, signal, wholeGroup = false } = call
  const environment = { ...BASE_ENVIRONMENT, ...definedOnly(env) }
  const child = spawn(program, args, { cwd, env: environment, stdio: 'pipe', signal, detached: wholeGroup })
  const output = collectOutput(child, maxBytes)
  // A program may exit without reading its input. The exit code shows whether this is an error.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const { code, note = '', error = null } = await waitForEnd(program, child, { call, output })
  // Child processes of a killed program may keep the pipes open, so the pipes are closed here.
  if (code === null && error === null) for (const pipe of [child.stdout, child.stderr]) pipe?.destroy()
  return { code, stdout: output.stdout(), stderr: `${output.stderr()}\n${note}`.trim(), error }
}

interface Output {
  readonly stdout: () => Buffer
  readonly stderr: () => string
  readonly isTooLong: () => boolean
}

/** Collects the output. A program that could not be started has no pipes. */
function collectOutput(child: ChildProcess, maxBytes: number): Output {
  const pieces: Buffer[] = []
  let [bytes, errors] = [0, '']
  child.stdout?.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= maxBytes) pieces.push(piece)
    else child.kill()
  })
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => void (errors = keepBothEnds(errors + piece)))
  return { stdout: () => Buffer.concat(pieces), stderr: () => errors, isTooLong: () => bytes > maxBytes }
}

interface ProgramEnd {
  readonly code: number | null
  /** The reason why the program has no exit code. */
  readonly note?: string
  readonly error?: Error
}

function waitForEnd(
  program: string,
  child: ChildProcess,
  { call, output }: { readonly call: ProgramCall; readonly output: Output },
): Promise<ProgramEnd> {
  const { cwd, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, signal, wholeGroup = false } = call
  // The timer is our own, because the timer of Node's `timeout` option continues after a failed start and keeps this
  // process alive.
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<ProgramEnd>((resolve, reject) => {
    const onTimeout = (): void => {
      if (!wholeGroup) return void child.kill()
      killGroup(child.pid)
      resolve({ code: null, note: `${program} did not end in time` })
    }
    if (timeoutMs !== null) timer = setTimeout(onTimeout, timeoutMs)
    child.once('error', (error) => {
      if (signal?.aborted !== true) return resolve({ code: null, note: reasonFor(error, program, cwd), error })
      if (wholeGroup) killGroup(child.pid)
      reject(error)
    })
    // The event `close` may never come after a kill, because child processes may keep the pipes open. So `exit` is
    // used.
    child.once('exit', (_, killedBy) => {
      if (killedBy === null) return
      const why = output.isTooLong() ? `printed more than ${maxBytes} bytes` : `was ended by ${killedBy}`
      resolve({ code: null, note: `${program} ${why}` })
    })
    child.once('close', (code) => resolve({ code: output.isTooLong() ? null : code }))
  })
  return ended.finally(() => clearTimeout(timer))
}

/** Kills a process group. The id of the group is the pid of its leader, even after the leader has exited. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // No process of the group is left.
  }
}

/**
 * Explains why a program could not be started. The system reports the same error for a missing program and a missing
 * folder.
 */
function reasonFor({ message, code }: NodeJS.ErrnoException, program: string, cwd: string): string {
  if (code !== 'ENOENT') return message
  return existsSync(cwd)
    ? `${program} is not installed here, or not on the PATH: install it.`
    : `${cwd} does not exist.`
}

const KEPT_LENGTH = 4_000

/** Keeps the beginning and the end of a text. Some programs print the important error first, others print it last. */
const keepBothEnds = (text: string): string =>
  text.length > 2 * KEPT_LENGTH ? `${text.slice(0, KEPT_LENGTH)}${text.slice(-KEPT_LENGTH)}` : text
