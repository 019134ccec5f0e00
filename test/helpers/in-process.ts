/** The command line without a process, in a home that goes with the test, or with a group of tests that only ask. */
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

interface Said extends Answer {
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
    // As the program itself: closing without it collects all garbage first, which takes ten times as long as the rest.
    endsAfter: true,
    now: Date.now,
    readStdin: async () => Buffer.from(stdin),
    dispatcher: () => Promise.reject(new Error('nothing is dispatched here')),
    onInterrupt: () => () => {},
    ...world,
  })
  return { code, stdout, stderr }
}

export interface CliHome {
  /** Not there until something makes it. */
  readonly home: string
  /** The folder around it, empty at first. */
  readonly around: string
  readonly muster: (...argv: string[]) => Promise<Said>
  readonly run: (argv: readonly string[], how?: How) => Promise<Said>
}

/** Runs when the test ends, or (`afterAll`) when the group of tests that share a home ends. */
export type WhenOver = (finish: () => void | Promise<void>) => void

/** What every machine has. Which agent CLIs the developer's has, no test depends on. */
const PATH = '/usr/bin:/bin'

export function makeCliHome(whenOver: WhenOver = onTestFinished): CliHome {
  const around = mkdtempSync(join(tmpdir(), 'muster-cli-'))
  const home = join(around, 'home')
  whenOver(() => rmSync(around, { recursive: true, force: true }))
  const run: CliHome['run'] = async (argv, { env = {}, ...how } = {}) => {
    const answer = await runLine(argv, { MUSTER_HOME: home, MUSTER_USER: 'ada', PATH, ...env }, how)
    return { ...answer, json: () => JSON.parse(answer.stdout) as unknown }
  }
  return { home, around, run, muster: (...argv) => run(argv) }
}
