/** The agent CLIs that people install themselves: what each is called, how it logs in, and what is proved of it. */
import type { HarnessName, Permissions } from './agent-fields.ts'

export const CLI_NAMES = ['claude', 'codex', 'opencode', 'gemini'] as const satisfies readonly HarnessName[]
export type CliName = (typeof CLI_NAMES)[number]

/** Agents that come together. */
export const AGENT_SETS = ['starter'] as const

/** What a board would like to know of a CLI before it relies on it. */
export const CAPABILITIES = ['tools', 'resume', 'usage', 'sandbox'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface Cli {
  readonly title: string
  /** In the npm registry. */
  readonly package: string
  /** Variables any of which logs it in. Workers see only those that the agent's file names. */
  readonly keys: readonly string[]
  /** Where it keeps its log-in: a folder, which a variable may name, and the file in it. */
  readonly folder: { readonly variable: string; readonly within: string; readonly otherwise: string }
  readonly credentials: string
  /** What each permission means to it, for who chooses one. */
  readonly means: Readonly<Record<Permissions, string>>
  /** With which version, against a scripted model, and what; `npm run test:agents` does it again. */
  readonly proved: Proof
  /** The same where it is spoken with by ACP; left out where it was not tried, or it cannot be. */
  readonly provedByAcp?: Proof
}

interface Proof {
  readonly version: string
  readonly capabilities: readonly Capability[]
}

/** Proofs run with full permissions, so that nothing is proved of a sandbox. */
const PROVED: readonly Capability[] = ['tools', 'resume', 'usage']

export const CLIS: Readonly<Record<CliName, Cli>> = {
  claude: {
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    folder: { variable: 'CLAUDE_CONFIG_DIR', within: '', otherwise: '.claude' },
    credentials: '.credentials.json',
    means: {
      read: 'looks and plans',
      ask: 'looks; more only where your own settings of Claude Code allow it',
      edit: 'changes files; commands only where your own settings of Claude Code allow them',
      full: 'everything that you may do, without asking',
    },
    proved: { version: '2.1.197', capabilities: PROVED },
  },
  codex: {
    title: 'Codex',
    package: '@openai/codex',
    keys: ['CODEX_API_KEY'],
    folder: { variable: 'CODEX_HOME', within: '', otherwise: '.codex' },
    credentials: 'auth.json',
    means: {
      read: 'looks, in a sandbox that lets nothing be written',
      ask: 'the same as read',
      edit: 'changes files and runs commands, in a sandbox around its workspace',
      full: 'everything that you may do, without a sandbox',
    },
    proved: { version: '0.166.0', capabilities: PROVED },
  },
  opencode: {
    title: 'OpenCode',
    package: 'opencode-ai',
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    folder: { variable: 'XDG_DATA_HOME', within: 'opencode', otherwise: '.local/share/opencode' },
    credentials: 'auth.json',
    means: {
      read: 'looks; neither changes files nor runs commands',
      ask: 'the same as read: what it would ask for is refused',
      edit: 'changes files; runs no commands',
      full: 'everything that you may do, without asking',
    },
    proved: { version: '1.18.33', capabilities: PROVED },
    // It tells what its last question cost, and nothing of those before.
    provedByAcp: { version: '1.18.33', capabilities: ['tools', 'resume'] },
  },
  gemini: {
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    folder: { variable: 'GEMINI_CLI_HOME', within: '.gemini', otherwise: '.gemini' },
    credentials: 'oauth_creds.json',
    means: {
      read: 'looks and plans',
      ask: 'looks; what it would ask for is refused',
      edit: 'changes files; runs no commands',
      full: 'everything that you may do, without asking',
    },
    proved: { version: '0.61.0', capabilities: PROVED },
    // It loses a session that is gone on with in the minute in which it began.
    provedByAcp: { version: '0.61.0', capabilities: ['tools', 'usage'] },
  },
}

/** How somebody who has it not comes by it. */
export const howToInstall = (name: CliName): string => `npm install -g ${CLIS[name].package}`
