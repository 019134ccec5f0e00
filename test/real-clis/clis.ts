/** The real agent CLIs: those of a folder that is named, or installed from the registry into one that goes again. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const
export type Cli = (typeof CLIS)[number]

/** What is proved: each program by its own harness, and by ACP those that speak it. */
export const AGENTS = [...CLIS, 'acp:opencode', 'acp:gemini'] as const
export type AgentName = (typeof AGENTS)[number]

export const cliOf = (agent: AgentName): Cli => CLIS.find((cli) => agent.endsWith(cli)) ?? 'claude'

/** How a program is started to be spoken with. */
export const ACP_ARGS: Readonly<Partial<Record<Cli, readonly string[]>>> = { opencode: ['acp'], gemini: ['--acp'] }

const OF_THE_PROTOCOL = 'they are those of the protocol, whoever speaks it'

/** What an agent cannot show, and why. */
export const WITHOUT: Readonly<Partial<Record<AgentName, Readonly<Record<string, string>>>>> = {
  'acp:opencode': { usage: 'it tells the tokens of its last question only', events: OF_THE_PROTOCOL },
  'acp:gemini': {
    '429 pauses': 'it tries again by itself for minutes, and keeps what it prints of that to itself until it ends',
    resume: 'it loses a session that is gone on with in the minute in which it began',
    events: OF_THE_PROTOCOL,
  },
}

const PACKAGES: Readonly<Record<Cli, string>> = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  opencode: 'opencode-ai',
  gemini: '@google/gemini-cli',
}

const INSTALL_MS = 10 * 60_000

/** The folder of their programs; null when they can neither be found nor be had. `temporary` is where they may be put. */
export async function findClis(
  wanted: readonly Cli[],
  { named, temporary, signal }: { named: string | undefined; temporary: string; signal: AbortSignal },
): Promise<string | null> {
  if (named === undefined || named === '') return install(wanted, temporary, signal)
  const places = [join(named, 'node_modules', '.bin'), named]
  return places.find((folder) => wanted.every((cli) => existsSync(join(folder, cli)))) ?? null
}

async function install(wanted: readonly Cli[], folder: string, signal: AbortSignal): Promise<string | null> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const packages = wanted.map((cli) => PACKAGES[cli])
  process.stdout.write(`installs ${packages.join(', ')}\n`)
  const options = ['--no-audit', '--no-fund', '--no-save', '--fetch-retries=1', '--fetch-retry-mintimeout=2000']
  const child = spawn('npm', ['install', ...options, ...packages], {
    cwd: folder,
    stdio: 'ignore',
    timeout: INSTALL_MS,
    signal,
  })
  const code = await once(child, 'close').then(
    ([status]: (number | null)[]) => status,
    () => null,
  )
  return code === 0 ? join(folder, 'node_modules', '.bin') : null
}

export function versionOf(folder: string, cli: Cli, home: string): string {
  const { stdout } = spawnSync(join(folder, cli), ['--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home },
    timeout: 60_000,
  })
  return /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? '?'
}
