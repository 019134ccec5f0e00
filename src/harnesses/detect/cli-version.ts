/** What is asked of a CLI without spending anything: its version, and whether its sandbox holds on this machine. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { Ran } from '../../processes/run-program.ts'
import { CLIS } from './clis.ts'
import { allowedEnvironment } from '../../processes/environment.ts'

export type CliVersion = { readonly version: string } | { readonly fault: string }

/** Of what it was asked, an answer is a line or two. */
const MOST_BYTES = 64 * 1024

interface Question {
  readonly program: string
  readonly env: Environment
  readonly forMs: number
}

/** One that does not answer is ended. */
export async function askVersion(question: Question): Promise<CliVersion> {
  const { code, stdout, stderr } = await ask(question, ['--version'])
  const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout.toString('utf8'))?.[0]
  if (code === 0 && version !== undefined) return { version }
  const why = code === 0 ? 'it prints none' : firstLine(stderr) || `exit ${code}`
  return { fault: `it does not say its version: ${why}` }
}

export type Sandbox = { readonly holds: boolean } | { readonly fault: string }

/** Run in the sandbox: only who was started there, and could not write, says that it was held. */
const PROBE = ['/bin/sh', '-c', 'touch probe || echo held']

export async function trySandbox(question: Question, args: readonly string[]): Promise<Sandbox> {
  const { stdout, stderr, wrote } = await ask(question, [...args, ...PROBE])
  if (wrote) return { holds: false }
  return stdout.toString('utf8').includes('held') ? { holds: true } : { fault: firstLine(stderr) || 'it says nothing' }
}

/**
 * Some write into their folders even for that, so they are given others for as long; the home stays, since what finds
 * the right version of a program may look there.
 */
async function ask({ program, env, forMs }: Question, args: readonly string[]): Promise<Ran & { wrote: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-ask-'))
  try {
    const ran = await runProgram(program, args, {
      cwd: folder,
      env: { ...allowedEnvironment(env), ...elsewhere(folder), DISABLE_AUTOUPDATER: '1' },
      timeoutMs: forMs,
      wholeGroup: true,
      maxBytes: MOST_BYTES,
    })
    return { ...ran, wrote: existsSync(join(folder, 'probe')) }
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

/** Node programs that crash print where, before they print what. */
const firstLine = (text: string): string =>
  (/^\w*Error\b.*$/m.exec(text)?.[0] ?? text.trim().split('\n')[0] ?? '').slice(0, 200)
