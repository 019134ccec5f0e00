/**
 * Runs the command line inside the test process, with a data folder that is deleted after the test or the group of
 * tests.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runLine } from './run-line.ts'
import type { Answer, Given } from './run-line.ts'
import { placeHome } from './store-template.ts'
import { isThroughUrl, ThroughUrl } from './through-url.ts'
import type { WhenOver } from './when-over.ts'

interface JsonAnswer extends Answer {
  readonly json: () => unknown
}

interface How extends Given {
  readonly env?: Readonly<Record<string, string>>
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
 * The PATH with only the system folders, so that tests do not depend on agent CLIs installed on the developer's
 * machine.
 */
const PATH = '/usr/bin:/bin'

/** Makes a path without a data folder, for tests of the first use. */
export const makeMissingCliHome = (): CliHome => makeCliHome(onTestFinished, { copies: false })

export function makeCliHome(whenOver: WhenOver = onTestFinished, { copies = true } = {}): CliHome {
  const around = mkdtempSync(join(tmpdir(), 'muster-cli-'))
  const home = join(around, 'home')
  whenOver(() => rmSync(around, { recursive: true, force: true }))
  const through = isThroughUrl ? new ThroughUrl(whenOver) : null
  const run: CliHome['run'] = async (argv, { env: more = {}, ...how } = {}) => {
    const env = { MUSTER_HOME: home, MUSTER_USER: 'ada', PATH, ...more }
    // A copy takes a tenth of the time of `init`.
    if (copies && argv[0] === 'create' && through === null && !existsSync(home)) await placeHome(home, env)
    const answer = await runLine(argv, { ...env, ...(await through?.variablesFor(argv, env)) }, how)
    await through?.prepare(env)
    return { ...answer, json: () => JSON.parse(answer.stdout) as unknown }
  }
  const onTerminal: CliHome['onTerminal'] = (...argv) => run(argv, { world: { terminal: WIDE_TERMINAL } })
  return { home, around, run, onTerminal, muster: (...argv) => run(argv) }
}
