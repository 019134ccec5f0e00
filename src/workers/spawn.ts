/** The only place that starts processes. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Environment } from '../config/environment.ts'

export interface StartRequest {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment: nothing is inherited. */
  readonly env: Environment
  /** Output and errors are appended here, readable by the owner only. */
  readonly log: string
}

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Started {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  /** Lets this process end while that one lives on. */
  readonly release: () => void
}

/**
 * Starts a process that leads its own session, so that a Ctrl-C here does not reach it and it outlives us. Output goes
 * to a file, not a pipe: a pipe breaks when its reader dies. Rejects when the program cannot be started.
 */
export async function startDetached({ program, args, cwd, env, log }: StartRequest): Promise<Started> {
  const file = openSync(log, 'a', 0o600)
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: ['ignore', file, file] })
  closeSync(file)
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('spawn', resolve)
  })
  return { pid: child.pid ?? 0, exited, release: () => child.unref() }
}

/** What a small system command prints; null when it fails or is not there. */
export function readCommand(program: string, args: readonly string[], env: Environment = {}): string | null {
  const PATH = '/usr/bin:/bin:/usr/sbin:/sbin'
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', env: { PATH, ...env }, timeout: 5_000 })
  return status === 0 ? stdout : null
}
