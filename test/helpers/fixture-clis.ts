/** Puts programs on the PATH that replay recorded output of the real agent CLIs (test/fixtures/clis). */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeTestHome } from './cli.ts'
import type { TestHome } from './cli.ts'

const REPLAY = join(import.meta.dirname, '..', 'fixtures', 'clis', 'replay.mjs')
/** The CLIs with recordings. The output of Hermes comes from its documentation. */
export const RECORDED = ['claude', 'codex', 'opencode', 'gemini'] as const
export const CLIS = [...RECORDED, 'hermes'] as const
export type FixtureCli = (typeof CLIS)[number]

/** Makes a data folder whose user has these programs in an otherwise empty home folder. */
export function makeFixtureCliHome(env: NodeJS.ProcessEnv = {}): TestHome & { readonly user: string } {
  const home = makeTestHome('sqlite')
  const user = mkdtempSync(join(tmpdir(), 'muster-clis-'))
  onTestFinished(() => rmSync(user, { recursive: true }))
  for (const cli of CLIS) install(user, cli)
  const PATH = [user, process.env['PATH']].join(delimiter)
  Object.assign(home.env, { PATH, HOME: user, MUSTER_MACHINE_CAP: '24', ...env })
  return { ...home, user }
}

export const install = (user: string, cli: FixtureCli): void => symlinkSync(REPLAY, join(user, cli))

interface FixtureAgent {
  readonly cli: FixtureCli
  readonly account: string
  /** The instructions to the program: see test/fixtures/clis/replay.mjs. */
  readonly words: readonly string[]
  /** Further lines of front matter for the agent file. */
  readonly front?: string
}

export function addCliAgent(home: TestHome, name: string, { cli, account, words, front = '' }: FixtureAgent): void {
  mkdirSync(join(home.home, 'agents'), { recursive: true })
  writeFileSync(
    join(home.home, 'agents', `${name}.md`),
    `---\nharness: ${cli}\naccount: ${account}\nargs: ${JSON.stringify(words)}\n${front}---\nWork.\n`,
  )
}
