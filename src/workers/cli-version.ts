import type { Environment } from '../config/environment.ts'
import { runProgram } from '../workspaces/run-program.ts'
import { allowedEnvironment } from './environment.ts'

export type CliVersion = { readonly version: string } | { readonly fault: string }

/** A version is a line. */
const MOST_BYTES = 64 * 1024

/** Asks a CLI for its version, in the environment that its agents have. One that does not answer is ended. */
export async function askVersion(program: string, env: Environment, forMs: number): Promise<CliVersion> {
  const ran = await runProgram(program, ['--version'], {
    cwd: '/',
    // It is asked what it is, not to become another.
    env: { ...allowedEnvironment(env), DISABLE_AUTOUPDATER: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' },
    timeoutMs: forMs,
    wholeGroup: true,
    maxBytes: MOST_BYTES,
  })
  const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(ran.stdout.toString('utf8'))?.[0]
  if (ran.code === 0 && version !== undefined) return { version }
  const why = ran.code === 0 ? 'it prints none' : firstLine(ran.stderr) || `exit ${ran.code}`
  return { fault: `it does not say its version: ${why}` }
}

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 200)
