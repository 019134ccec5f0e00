/** The real agent CLIs: those of a folder that is named, or installed from the registry into one that goes again. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const
export type Cli = (typeof CLIS)[number]

/** What is proved: each program by its own harness, and by ACP those that speak it. */
export const AGENTS = [...CLIS, 'acp:opencode', 'acp:gemini'] as const
export type AgentName = (typeof AGENTS)[number]

export const cliOf = (agent: AgentName): Cli => CLIS.find((cli) => agent.endsWith(cli)) ?? 'claude'

/** How a program is started to be spoken with. */
export const ACP_ARGS: Readonly<Partial<Record<Cli, readonly string[]>>> = { opencode: ['acp'], gemini: ['--acp'] }

/** What an agent cannot show, and why. */
export const WITHOUT: Readonly<Partial<Record<AgentName, Readonly<Record<string, string>>>>> = {
  'acp:opencode': { usage: 'it tells the tokens of its last question only' },
  'acp:gemini': {
    resume: 'it loses a session that is gone on with in the minute in which it began',
    '429 pauses': 'it tries again by itself for minutes before it tells anybody',
  },
}

const PACKAGES: Readonly<Record<Cli, string>> = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  opencode: 'opencode-ai',
  gemini: '@google/gemini-cli',
}

const INSTALL_MS = 10 * 60_000

export interface Installed {
  /** Where their programs are. */
  readonly folder: string
  /** Made for this, and to be removed after it; null: somebody else's. */
  readonly temporary: string | null
}

/** Null when they can neither be found nor be had. */
export function findClis(env: NodeJS.ProcessEnv): Installed | null {
  const named = env['MUSTER_AGENT_CLIS']
  if (named !== undefined && named !== '') {
    const folder = [join(named, 'node_modules', '.bin'), named].find((one) =>
      CLIS.every((cli) => existsSync(join(one, cli))),
    )
    return folder === undefined ? null : { folder, temporary: null }
  }
  const temporary = mkdtempSync(join(tmpdir(), 'muster-clis-'))
  writeFileSync(join(temporary, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--no-audit', '--no-fund', '--no-save', ...Object.values(PACKAGES)]
  const { status } = spawnSync('npm', args, {
    cwd: temporary,
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: INSTALL_MS,
  })
  return status === 0 ? { folder: join(temporary, 'node_modules', '.bin'), temporary } : null
}

export function versionOf(folder: string, cli: Cli, home: string): string {
  const { stdout } = spawnSync(join(folder, cli), ['--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
    timeout: 60_000,
  })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? '?'
}
