import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import { runProgram } from '../workspaces/run-program.ts'
import { CLIS } from './clis.ts'
import { allowedEnvironment } from './environment.ts'

export type CliVersion = { readonly version: string } | { readonly fault: string }

/** A version is a line. */
const MOST_BYTES = 64 * 1024

/**
 * Asks a CLI for its version. Some write into their folders even then, so they are given others for as long; the home
 * stays, since what finds the right version of a program may look there. One that does not answer is ended.
 */
export async function askVersion(program: string, env: Environment, forMs: number): Promise<CliVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-version-'))
  try {
    const ran = await runProgram(program, ['--version'], {
      cwd: folder,
      env: { ...allowedEnvironment(env), ...elsewhere(folder), DISABLE_AUTOUPDATER: '1' },
      timeoutMs: forMs,
      wholeGroup: true,
      maxBytes: MOST_BYTES,
    })
    const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(ran.stdout.toString('utf8'))?.[0]
    if (ran.code === 0 && version !== undefined) return { version }
    const why = ran.code === 0 ? 'it prints none' : firstLine(ran.stderr) || `exit ${ran.code}`
    return { fault: `it does not say its version: ${why}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const COMMON = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']

/** Where programs are to write instead of the user's own folders. */
export const elsewhere = (folder: string): Environment =>
  Object.fromEntries(
    [...COMMON, ...Object.values(CLIS).map((cli) => cli.folder.variable)].map((name) => [name, folder]),
  )

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 200)
