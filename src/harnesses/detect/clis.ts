/** The agent CLIs that people install: their names, logins, and tested capabilities. */
import type { HarnessName } from '../index.ts'
import type { Permissions } from '../../core/vocabulary.ts'

export const CLI_NAMES = ['claude', 'codex', 'opencode', 'gemini', 'hermes'] as const satisfies readonly HarnessName[]
export type CliName = (typeof CLI_NAMES)[number]

/** Sets of agents that `muster agents install` adds. */
export const AGENT_SETS = ['starter'] as const

/** The capabilities of a CLI that a board needs. */
export const CAPABILITIES = ['tools', 'resume', 'usage', 'sandbox'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface Cli {
  readonly title: string
  /** The command that installs the CLI, or a hint for the user. */
  readonly install: string
  /** The command that logs in. */
  readonly logIn: string
  /** Environment variables that may contain a key of the CLI. An agent gets only the variables that its file names. */
  readonly keys: readonly string[]
  /** The folder with the login of the CLI. A variable may name another folder. */
  readonly folder: { readonly variable: string; readonly within: string; readonly otherwise: string }
  /** The files in that folder that contain the login. */
  readonly credentials: readonly string[]
  /** The meaning of each permission for this CLI. */
  readonly means: Readonly<Record<Permissions, string>>
  /** Arguments that run a command in the sandbox of the CLI, without a model. */
  readonly sandbox: readonly string[] | null
  /**
   * The capabilities that passed a test with a scripted model (`npm run test:agents`). Null means that the CLI was
   * never tested.
   */
  readonly proved: Proof | null
  /** The capabilities that passed the same test through ACP. They are absent if ACP is untested or unsupported. */
  readonly provedByAcp?: Proof
}

interface Proof {
  readonly version: string
  readonly capabilities: readonly Capability[]
}

/**
 * All capabilities. `sandbox` means that the CLI wrote nothing with `read`, and nothing outside the workspace with
 * `edit`.
 */
const PROVED: readonly Capability[] = CAPABILITIES

export const CLIS: Readonly<Record<CliName, Cli>> = {
  claude: {
    title: 'Claude Code',
    install: 'npm install -g @anthropic-ai/claude-code',
    logIn: 'claude',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    folder: { variable: 'CLAUDE_CONFIG_DIR', within: '', otherwise: '.claude' },
    credentials: ['.credentials.json'],
    means: {
      read: 'reads files; changes none',
      ask: 'reads files; does more only if your own Claude Code settings allow it',
      edit: 'changes files; runs commands only if your own Claude Code settings allow them',
      full: 'does everything that you may do, without asking',
    },
    sandbox: null,
    proved: { version: '2.1.197', capabilities: PROVED },
  },
  codex: {
    title: 'Codex',
    install: 'npm install -g @openai/codex',
    logIn: 'codex login',
    keys: ['CODEX_API_KEY'],
    folder: { variable: 'CODEX_HOME', within: '', otherwise: '.codex' },
    credentials: ['auth.json'],
    means: {
      read: 'reads files, in a sandbox that prevents all writing',
      ask: 'the same as read',
      edit: 'changes files and runs commands, in a sandbox around its workspace',
      full: 'does everything that you may do, without a sandbox',
    },
    sandbox: ['sandbox', '--'],
    proved: { version: '0.166.0', capabilities: PROVED },
  },
  opencode: {
    title: 'OpenCode',
    install: 'npm install -g opencode-ai',
    logIn: 'opencode auth login',
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    folder: { variable: 'XDG_DATA_HOME', within: 'opencode', otherwise: '.local/share/opencode' },
    credentials: ['auth.json'],
    means: {
      read: 'reads files; changes none and runs no commands',
      ask: 'the same as read, because it cannot ask for permission',
      edit: 'changes files; runs no commands',
      full: 'does everything that you may do, without asking',
    },
    sandbox: null,
    proved: { version: '1.18.33', capabilities: PROVED },
    // The capability `usage` is missing, because OpenCode reports only the usage of its last request over ACP.
    provedByAcp: { version: '1.18.33', capabilities: ['tools', 'resume', 'sandbox'] },
  },
  gemini: {
    title: 'Gemini CLI',
    install: 'npm install -g @google/gemini-cli',
    logIn: 'gemini',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    folder: { variable: 'GEMINI_CLI_HOME', within: '.gemini', otherwise: '.gemini' },
    credentials: ['oauth_creds.json'],
    means: {
      read: 'reads files; changes none and runs no commands',
      ask: 'the same as read, because it cannot ask for permission',
      edit: 'changes files; runs no commands',
      full: 'does everything that you may do, without asking',
    },
    sandbox: null,
    proved: { version: '0.61.0', capabilities: PROVED },
    // The capability `resume` is missing, because Gemini CLI over ACP loses a session that is resumed within its first
    // minute.
    provedByAcp: { version: '0.61.0', capabilities: ['tools', 'usage', 'sandbox'] },
  },
  hermes: {
    title: 'Hermes Agent',
    install: 'see https://hermes-agent.nousresearch.com/docs',
    logIn: 'hermes',
    keys: ['OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_API_KEY'],
    folder: { variable: 'HERMES_HOME', within: '', otherwise: '.hermes' },
    credentials: ['auth.json', '.env'],
    means: {
      read: 'reads files; runs no commands',
      ask: 'the same as read',
      edit: 'changes files in its workspace; runs no commands',
      full: 'does everything that you may do, without asking',
    },
    sandbox: null,
    proved: null,
  },
}

/** Returns the CLI with this name. Null means that people do not install a CLI with this name. */
export const cliNamed = (name: string | null): Cli | null => {
  const found = CLI_NAMES.find((one) => one === name)
  return found === undefined ? null : CLIS[found]
}
