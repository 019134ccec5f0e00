/** Starts long-lived processes; small programs run through `processes/run-program.ts`. */
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
  /** The whole environment: nothing is inherited. */
  readonly env: Environment
  /** Output and errors are appended here, readable by the owner only. */
  readonly log: string
  /** A file to read from; without one the input is empty. */
  readonly stdin?: string | null
}

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Started {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  /** Lets this process exit while the other one runs. */
  readonly release: () => void
}

/**
 * Starts a process that leads its own session, so that Ctrl-C does not reach it and it outlives this process. Output goes to
 * a file, because a pipe breaks when its reader dies. Rejects when the program cannot be started.
 */
export async function startDetached(request: StartRequest): Promise<Started> {
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

/** Closes our descriptors of the child's files, whether it starts or not. */
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

export interface Piped {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  readonly output: Readable
  /** Closes its streams. */
  readonly release: () => void
}

/**
 * Starts a process that leads its own session and whose output is read here, not written to disk. Its descriptor 3 stays open
 * as long as this process lives, so that it can notice our end. Rejects when the program cannot be started.
 */
export async function startPiped({ program, args, cwd, env }: Omit<StartRequest, 'log'>): Promise<Piped> {
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
  stdout.on('error', () => {}) // Its exit is reported anyway.
  const release = (): void => {
    stdout.destroy()
    lifeline?.destroy()
  }
  return { pid: child.pid ?? 0, exited, output: stdout, release }
}

export interface Conversing {
  readonly exited: Promise<ProcessExit>
  readonly input: Writable
  readonly output: Readable
  readonly errors: Readable
  readonly ask: (signal: NodeJS.Signals) => void
  /** Lets this process exit while the other one may run. */
  readonly release: () => void
}

/**
 * Starts a process to exchange messages with. It stays in our process group, so that both end together; with `ownGroup`, `ask`
 * signals its whole group. Rejects when the program cannot be started.
 */
export async function startConversing(
  { program, args, cwd, env }: Omit<StartRequest, 'log'>,
  { ownGroup = false } = {},
): Promise<Conversing> {
  const child = spawn(program, args, { cwd, env: { ...env }, detached: ownGroup, stdio: ['pipe', 'pipe', 'pipe'] })
  const { stdin, stdout, stderr } = child
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {}) // Its exit status is more precise.
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', resolve)
  })
  const release = (): void => {
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
    child.unref()
  }
  const ask = (signal: NodeJS.Signals): void => {
    try {
      if (!ownGroup) child.kill(signal)
      else if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // It is gone.
    }
  }
  return { exited, input: stdin, output: stdout, errors: stderr, ask, release }
}

/** The output of a small system command; null if it fails or does not exist. */
export function readCommand(program: string, args: readonly string[], env: Environment = {}): string | null {
  const PATH = '/usr/bin:/bin:/usr/sbin:/sbin'
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { PATH, ...env }, timeout: 5_000 })
  return status === 0 ? stdout : null
}
