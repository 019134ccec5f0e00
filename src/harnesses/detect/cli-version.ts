/** Asks a CLI for its version, and tests its sandbox. Neither needs a model. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../../config/environment.ts'
import { runProgram } from '../../processes/run-program.ts'
import type { ProgramResult } from '../../processes/run-program.ts'
import { CLIS } from './clis.ts'
import { allowedEnvironment } from '../../processes/environment.ts'

export type CliVersion = { readonly version: string } | { readonly fault: string }

/** The maximum length of an answer, which is usually a line or two. */
const MAX_BYTES = 64 * 1024

interface VersionQuestion {
  readonly program: string
  readonly env: Environment
  readonly forMs: number
}

export async function askVersion(question: VersionQuestion): Promise<CliVersion> {
  const { code, stdout, stderr } = await ask(question, ['--version'])
  const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout.toString('utf8'))?.[0]
  if (code === 0 && version !== undefined) return { version }
  const why = code === 0 ? 'its output has none' : firstOutputLine(stderr) || `exit ${code}`
  return { fault: `it reports no version: ${why}` }
}

export type Sandbox = { readonly holds: boolean } | { readonly fault: string }

/** The command that tests a sandbox. It prints `held` only if the command ran and could not write. */
const PROBE = ['/bin/sh', '-c', 'touch probe || echo held']

export async function testSandbox(question: VersionQuestion, args: readonly string[]): Promise<Sandbox> {
  const { stdout, stderr, wrote } = await ask(question, [...args, ...PROBE])
  if (wrote) return { holds: false }
  return stdout.toString('utf8').includes('held')
    ? { holds: true }
    : { fault: firstOutputLine(stderr) || 'it prints nothing' }
}

/**
 * Runs the CLI with temporary folders, because some CLIs write to their folders even when they only print their
 * version. HOME stays the same, because version managers read it.
 */
async function ask(
  { program, env, forMs }: VersionQuestion,
  args: readonly string[],
): Promise<ProgramResult & { wrote: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-ask-'))
  try {
    const ran = await runProgram(program, args, {
      cwd: folder,
      env: { ...allowedEnvironment(env), ...redirectFolders(folder), DISABLE_AUTOUPDATER: '1' },
      timeoutMs: forMs,
      wholeGroup: true,
      maxBytes: MAX_BYTES,
    })
    return { ...ran, wrote: existsSync(join(folder, 'probe')) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const COMMON = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME']

/** Environment variables that make CLIs use this folder instead of the user's own folders. */
export const redirectFolders = (folder: string): Environment =>
  Object.fromEntries(
    [...COMMON, ...Object.values(CLIS).map((cli) => cli.folder.variable)].map((name) => [name, folder]),
  )

/**
 * The first line of the output. If a line contains an error, this line is returned instead, because a crashed Node
 * program first prints a line of its code.
 */
const firstOutputLine = (text: string): string =>
  (/^\w*Error\b.*$/m.exec(text)?.[0] ?? text.trim().split('\n')[0] ?? '').slice(0, 200)
