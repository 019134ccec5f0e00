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
  /** The complete environment: nothing is inherited. */
  readonly env: Environment
  /** Output and errors are appended to this file, which only its owner may read. */
  readonly log: string
  /** The file for standard input. If absent or null, the input is empty. */
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
 * Starts a process in its own session, so that Ctrl-C does not reach it and it outlives this process. Its output goes
 * to a file, because a pipe would break when this process dies. Rejects if the program cannot be started.
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

/** Starts the process with open files. Afterwards it closes these files in this process, even if the start fails. */
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
 * Starts a process in its own session. The caller's process reads the output instead of writing it to disk. Descriptor 3
 * of the started process stays open while the caller's process lives, so that the started process notices when the
 * caller's process ends. Rejects if the program cannot be started.
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
  stdout.on('error', () => {}) // `exited` reports the end.
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
 * Starts a process and exchanges messages with it. It stays in this process's group, so that both end together. With
 * `ownGroup` it gets its own group, and `sendSignal` reaches every process of that group. Rejects if the program cannot
 * be started.
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

/** The output of a small system command; null if it fails or does not exist. */
export function readCommand(program: string, args: readonly string[], env: Environment = {}): string | null {
  const PATH = '/usr/bin:/bin:/usr/sbin:/sbin'
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { PATH, ...env }, timeout: 5_000 })
  return status === 0 ? stdout : null
}
