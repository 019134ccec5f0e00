/** Finds the real agent CLIs in a given folder, or installs them from the npm registry into a temporary folder. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const CLIS = ['claude', 'codex', 'opencode', 'gemini'] as const
export type Cli = (typeof CLIS)[number]

/** The tested agents: each CLI with its own harness, and with ACP if the CLI supports ACP. */
export const AGENTS = [...CLIS, 'acp:opencode', 'acp:gemini'] as const
export type AgentName = (typeof AGENTS)[number]

export const cliOf = (agent: AgentName): Cli => CLIS.find((cli) => agent.endsWith(cli)) ?? 'claude'

/** The arguments that start a CLI as an ACP agent. */
export const ACP_ARGS: Readonly<Partial<Record<Cli, readonly string[]>>> = { opencode: ['acp'], gemini: ['--acp'] }

const ACP_EVENTS = 'ACP events are the same for every agent'
const NO_PLAN = { plan: 'a plan is a single question to the CLI itself' }
const HTTP_TOOLS = { 'tools over HTTP': 'the guide names only the command of Claude Code' }

/** The capabilities that are not tested for an agent, each with the reason. */
export const WITHOUT: Readonly<Partial<Record<AgentName, Readonly<Record<string, string>>>>> = {
  codex: HTTP_TOOLS,
  opencode: HTTP_TOOLS,
  gemini: HTTP_TOOLS,
  'acp:opencode': {
    ...HTTP_TOOLS,
    ...NO_PLAN,
    usage: 'it reports only the tokens of its last request',
    events: ACP_EVENTS,
  },
  'acp:gemini': {
    ...HTTP_TOOLS,
    ...NO_PLAN,
    '429 pauses': 'it retries for minutes without output',
    resume: 'it loses a session that is resumed within its first minute',
    goal: 'it loses a session that is resumed within its first minute',
    events: ACP_EVENTS,
  },
}

const PACKAGES: Readonly<Record<Cli, string>> = {
  claude: '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  opencode: 'opencode-ai',
  gemini: '@google/gemini-cli',
}

const INSTALL_MS = 10 * 60_000

/**
 * Returns the folder of the programs. Null means that they are neither found nor installed. They are installed into
 * `temporary`.
 */
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
  process.stdout.write(`Installing ${packages.join(', ')}\n`)
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
