/** The command line without a process, in a home that goes with the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { World } from '../../src/cli/world.ts'

interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly json: () => unknown
}

interface How {
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly world?: Partial<World>
}

export interface CliHome {
  /** Not there until something makes it. */
  readonly home: string
  /** The folder around it, empty at first. */
  readonly around: string
  readonly muster: (...argv: string[]) => Promise<Said>
  readonly run: (argv: readonly string[], how?: How) => Promise<Said>
}

export function makeCliHome(): CliHome {
  const around = mkdtempSync(join(tmpdir(), 'muster-cli-'))
  const home = join(around, 'home')
  onTestFinished(() => rmSync(around, { recursive: true, force: true }))
  const run: CliHome['run'] = async (argv, { stdin = '', env = {}, world = {} } = {}) => {
    let stdout = ''
    let stderr = ''
    const code = await main({
      argv,
      env: { MUSTER_HOME: home, MUSTER_USER: 'ada', ...env },
      version: '1.2.3',
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
      terminal: null,
      now: Date.now,
      readStdin: async () => Buffer.from(stdin),
      dispatcher: () => Promise.reject(new Error('nothing is dispatched here')),
      onInterrupt: () => () => {},
      ...world,
    })
    return { code, stdout, stderr, json: () => JSON.parse(stdout) as unknown }
  }
  return { home, around, run, muster: (...argv) => run(argv) }
}
