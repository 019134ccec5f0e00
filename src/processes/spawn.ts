/** Starts long-lived processes. For small programs, see `run-program.ts`. */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { openSync } from '../util/guarded-files.ts'
import type { Environment } from '../config/environment.ts'

export interface StartRequest {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The complete environment of the process, which inherits nothing. */
  readonly env: Environment
  /** The file for output and errors. New output is appended, and only the owner may read the file. */
  readonly log: string
  /** The file for standard input. If this is absent or null, the input is empty. */
  readonly stdin?: string | null
}

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface StartedProcess {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  /** Lets this process exit while the started process still runs. */
  readonly release: () => void
}

/**
 * Starts a process in its own session, so that Ctrl-C does not reach it and it continues after this process ends. Its
 * output goes to a file, because a pipe would break when this process dies. Rejects if the program cannot be started.
 */
export async function startDetached(request: StartRequest): Promise<StartedProcess> {
  const child = spawnWithFiles(request)
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', resolve)
  })
  return { pid: child.pid ?? 0, exited, release: () => child.unref() }
}

/** Starts the process with open files. This process closes its own handles of these files, even if the start fails. */
function spawnWithFiles({ program, args, cwd, env, log, stdin }: StartRequest): ChildProcess {
  const descriptors: number[] = []
  const open = (path: string, flags: 'a' | 'r'): number => {
    const descriptor = openSync(path, flags, 0o600)
    descriptors.push(descriptor)
    return descriptor
  }
  try {
    const output = open(log, 'a')
    const input = stdin == null ? 'ignore' : open(stdin, 'r')
    return spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: [input, output, output] })
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor)
  }
}

export interface PipedProcess {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  readonly output: Readable
  /** Closes the streams. */
  readonly release: () => void
}

/**
 * Starts a process in its own session and returns its output as a stream. Descriptor 3 of the new process stays open
 * while this process lives, so that the new process notices when this process ends. Rejects if the program cannot be
 * started.
 */
export async function startPiped({ program, args, cwd, env }: Omit<StartRequest, 'log'>): Promise<PipedProcess> {
  const stdio = ['ignore', 'pipe', 'ignore', 'pipe'] as const
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: [...stdio] })
  const { stdout } = child
  const lifeline = child.stdio[3]
  lifeline?.on('error', () => {})
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', resolve)
  })
  if (stdout === null) throw new Error(`${program} has no output`)
  stdout.on('error', () => {}) // Errors of the output are ignored, because `exited` reports the end of the process.
  const release = (): void => {
    stdout.destroy()
    lifeline?.destroy()
  }
  return { pid: child.pid ?? 0, exited, output: stdout, release }
}

export interface InteractiveProcess {
  readonly exited: Promise<ProcessExit>
  readonly input: Writable
  readonly output: Readable
  readonly errors: Readable
  readonly sendSignal: (signal: NodeJS.Signals) => void
  /** Closes the streams, and lets this process exit while the started process still runs. */
  readonly release: () => void
}

/**
 * Starts a process and exchanges messages with it. The process stays in the process group of this program, so that both
 * end together. With `ownGroup`, the process gets a group of its own, and `sendSignal` reaches every process of that
 * group. Rejects if the program cannot be started.
 */
export async function startInteractive(
  { program, args, cwd, env }: Omit<StartRequest, 'log'>,
  { ownGroup = false } = {},
): Promise<InteractiveProcess> {
  const child = spawn(program, args, { cwd, env: { ...env }, detached: ownGroup, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr } = child
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  // Errors of the streams are ignored, because the exit status is more precise.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', resolve)
  })
  const release = (): void => {
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
    child.unref()
  }
  const sendSignal = (signal: NodeJS.Signals): void => {
    try {
      if (!ownGroup) child.kill(signal)
      else if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // The process has ended.
    }
  }
  return { exited, input: stdin, output: stdout, errors: stderr, sendSignal, release }
}

/** Returns the output of a small system command. Returns null if the command fails or does not exist. */
export function readCommand(program: string, args: readonly string[], env: Environment = {}): string | null {
  const PATH = '/usr/bin:/bin:/usr/sbin:/sbin'
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { PATH, ...env }, timeout: 5_000 })
  return status === 0 ? stdout : null
}
