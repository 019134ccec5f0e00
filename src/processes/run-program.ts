/** Runs a small program to its end: git, `tar`, `cp`, `rm`. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Environment } from '../config/environment.ts'
import { definedOnly } from '../util/objects.ts'

export interface Ran {
  /** Null when it could not be started, was killed, or printed too much. */
  readonly code: number | null
  readonly stdout: Buffer
  /** What it printed as errors, and why there is no code. */
  readonly stderr: string
  /** The system's error if it could not be started. */
  readonly error: Error | null
}

export interface ProgramCall {
  readonly cwd: string
  /** The whole environment; PATH and LC_ALL have defaults. */
  readonly env?: Environment
  readonly stdin?: string | Buffer
  /** Null: no limit but the signal. */
  readonly timeoutMs?: number | null
  /** Whether a timeout kills every process that it started and returns at once: for programs that are not ours. */
  readonly wholeGroup?: boolean
  /** A program that prints more is ended: half its output is useless. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
}

/** The environment is not inherited: variables could change what a program does. */
const PLAIN = { PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }
const TIMEOUT_MS = 10 * 60_000
const MOST_BYTES = 64 * 1024 * 1024

/** Rejects only on abort; a program that cannot be started is reported in the result. */
export async function runProgram(program: string, args: readonly string[], call: ProgramCall): Promise<Ran> {
  const { cwd, env = {}, stdin = '', maxBytes = MOST_BYTES, signal, wholeGroup = false } = call
  const plain = { ...PLAIN, ...definedOnly(env) }
  const child = spawn(program, args, { cwd, env: plain, stdio: 'pipe', signal, detached: wholeGroup })
  const output = collectOutput(child, maxBytes)
  // A program that ends without reading its input reports that by its exit status.
  child.stdin?.on('error', () => {})
  child.stdin?.end(stdin)
  const { code, note = '', error = null } = await waitForEnd(program, child, { call, output })
  // Processes that a killed program started may keep its pipes open.
  if (code === null && error === null) for (const pipe of [child.stdout, child.stderr]) pipe?.destroy()
  return { code, stdout: output.stdout(), stderr: `${output.stderr()}\n${note}`.trim(), error }
}

interface Output {
  readonly stdout: () => Buffer
  readonly stderr: () => string
  readonly isTooLong: () => boolean
}

/** A program that could not be started has no pipes. */
function collectOutput(child: ChildProcess, maxBytes: number): Output {
  const pieces: Buffer[] = []
  let [bytes, errors] = [0, '']
  child.stdout?.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= maxBytes) pieces.push(piece)
    else child.kill()
  })
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => void (errors = bothEnds(errors + piece)))
  return { stdout: () => Buffer.concat(pieces), stderr: () => errors, isTooLong: () => bytes > maxBytes }
}

interface Ended {
  readonly code: number | null
  /** Why there is no exit code. */
  readonly note?: string
  readonly error?: Error
}

function waitForEnd(
  program: string,
  child: ChildProcess,
  { call, output }: { readonly call: ProgramCall; readonly output: Output },
): Promise<Ended> {
  const { cwd, timeoutMs = TIMEOUT_MS, maxBytes = MOST_BYTES, signal, wholeGroup = false } = call
  // Node's own timer keeps running if the program could not be started, and would keep this process alive.
  let timer: NodeJS.Timeout | undefined
  const ended = new Promise<Ended>((resolve, reject) => {
    const onTimeout = (): void => {
      if (!wholeGroup) return void child.kill()
      killGroup(child.pid)
      resolve({ code: null, note: `${program} did not end in time` })
    }
    if (timeoutMs !== null) timer = setTimeout(onTimeout, timeoutMs)
    child.once('error', (error) =>
      signal?.aborted === true ? reject(error) : resolve({ code: null, note: reasonFor(error, program, cwd), error }),
    )
    // A killed program is not waited for any longer: its children may keep the pipes open.
    child.once('exit', (_, killedBy) => {
      if (killedBy === null) return
      const why = output.isTooLong() ? `printed more than ${maxBytes} bytes` : `was ended by ${killedBy}`
      resolve({ code: null, note: `${program} ${why}` })
    })
    child.once('close', (code) => resolve({ code: output.isTooLong() ? null : code }))
  })
  return ended.finally(() => clearTimeout(timer))
}

/** The group id is the leader's pid; the leader may have exited before the others. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // No process is left.
  }
}

/** The system reports a missing program and a missing folder alike. */
function reasonFor({ message, code }: NodeJS.ErrnoException, program: string, cwd: string): string {
  if (code !== 'ENOENT') return message
  return existsSync(cwd)
    ? `${program} is not installed here, or not on the PATH: install it.`
    : `${cwd} does not exist.`
}

const END_LENGTH = 4_000

/** Some programs report the fault first, some last. */
const bothEnds = (text: string): string =>
  text.length > 2 * END_LENGTH ? `${text.slice(0, END_LENGTH)}${text.slice(-END_LENGTH)}` : text
