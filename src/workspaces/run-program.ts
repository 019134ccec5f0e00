/** Runs a small program to its end: what removes, archives and asks git. */
import { spawn } from 'node:child_process'

export interface Ran {
  /** Null when it could not be started, or was killed. */
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

interface How {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Buffer
  readonly timeoutMs?: number
}

/** Nothing is inherited: neither the place where programs are found nor what they are told by variables. */
const PLAIN = { PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }
const TIMEOUT_MS = 10 * 60_000
const STDERR_BYTES = 8 * 1024

/** Never rejects: a program that cannot be started has failed like any other. */
export function runProgram(program: string, args: readonly string[], how: How): Promise<Ran> {
  const { cwd, env = {}, stdin = '', timeoutMs = TIMEOUT_MS } = how
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, env: { ...PLAIN, ...env }, timeout: timeoutMs, stdio: 'pipe' })
    const output: Buffer[] = []
    let stderr = ''
    const end = (code: number | null): void => resolve({ code, stdout: Buffer.concat(output), stderr: stderr.trim() })
    child.stdout.on('data', (piece: Buffer) => void output.push(piece))
    child.stderr.on('data', (piece: Buffer) => void (stderr = (stderr + piece.toString()).slice(0, STDERR_BYTES)))
    child.stdin.on('error', () => {}) // It has ended without reading on, and its status says how.
    child.once('error', ({ message }) => {
      stderr += message
      end(null)
    })
    child.once('close', end)
    child.stdin.end(stdin)
  })
}
