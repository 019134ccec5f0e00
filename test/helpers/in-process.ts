/** Runs the CLI inside the test process, with a data folder that is deleted after the test or the group of tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { World } from '../../src/cli/world.ts'

export interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface JsonAnswer extends Answer {
  readonly json: () => unknown
}

interface How {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly world?: Partial<World>
}

/** Runs one command line to its end, in this process. */
export async function runLine(
  argv: readonly string[],
  env: World['env'],
  { stdin = '', world = {} }: Pick<How, 'stdin' | 'world'> = {},
): Promise<Answer> {
  let stdout = ''
  let stderr = ''
  const code = await main({
    argv,
    env,
    version: '1.2.3',
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    terminal: null,
    // Set as in the real program. Otherwise closing the store would collect all garbage, which takes ten times as long.
    endsAfter: true,
    now: Date.now,
    readStdin: async () => Buffer.from(stdin),
    dispatcher: () => Promise.reject(new Error('this test has no dispatcher')),
    onInterrupt: () => () => {},
    ...world,
  })
  return { code, stdout, stderr }
}

export interface CliHome {
  /** The data folder. The first command that needs it creates it. */
  readonly home: string
  /** The parent folder of `home`, empty at first. */
  readonly around: string
  readonly muster: (...argv: string[]) => Promise<JsonAnswer>
  readonly run: (argv: readonly string[], how?: How) => Promise<JsonAnswer>
  /** Runs a line on a terminal that is wide enough for every line. */
  readonly onTerminal: (...argv: string[]) => Promise<JsonAnswer>
}

/** A terminal that cuts no line. */
const WIDE_TERMINAL = { columns: 1_000, rows: 24, colors: false } as const

/**
 * Registers a callback for the end of the test, or (`afterAll`) for the end of the group of tests that share a home.
 */
export type WhenOver = (finish: () => void | Promise<void>) => void

/** Contains only the system folders, so that tests do not depend on agent CLIs installed on the developer's machine. */
const PATH = '/usr/bin:/bin'

export function makeCliHome(whenOver: WhenOver = onTestFinished): CliHome {
  const around = mkdtempSync(join(tmpdir(), 'muster-cli-'))
  const home = join(around, 'home')
  whenOver(() => rmSync(around, { recursive: true, force: true }))
  const run: CliHome['run'] = async (argv, { env = {}, ...how } = {}) => {
    const answer = await runLine(argv, { MUSTER_HOME: home, MUSTER_USER: 'ada', PATH, ...env }, how)
    return { ...answer, json: () => JSON.parse(answer.stdout) as unknown }
  }
  const onTerminal: CliHome['onTerminal'] = (...argv) => run(argv, { world: { terminal: WIDE_TERMINAL } })
  return { home, around, run, onTerminal, muster: (...argv) => run(argv) }
}
