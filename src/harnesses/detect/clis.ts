/** The agent CLIs that people install: their names, logins, and what was tested with each. */
import type { HarnessName } from '../index.ts'
import type { Permissions } from '../../core/vocabulary.ts'

export const CLI_NAMES = ['claude', 'codex', 'opencode', 'gemini', 'hermes'] as const satisfies readonly HarnessName[]
export type CliName = (typeof CLI_NAMES)[number]

/** Sets of agents that `muster agents install` adds. */
export const AGENT_SETS = ['starter'] as const

/** What a board relies on in a CLI. */
export const CAPABILITIES = ['tools', 'resume', 'usage', 'sandbox'] as const
export type Capability = (typeof CAPABILITIES)[number]

export interface Cli {
  readonly title: string
  /** How to install it. */
  readonly install: string
  /** Variables that log it in. Agents see only those named in their file. */
  readonly keys: readonly string[]
  /** The folder of its login, which a variable may set, and the files in it. */
  readonly folder: { readonly variable: string; readonly within: string; readonly otherwise: string }
  readonly credentials: readonly string[]
  /** What each permission means for it. */
  readonly means: Readonly<Record<Permissions, string>>
  /** Arguments that run a command in its sandbox without a model. */
  readonly sandbox: readonly string[] | null
  /** What was tested, against a scripted model (`npm run test:agents`); null: nothing. */
  readonly proved: Proof | null
  /** The same through ACP; absent if untested or unsupported. */
  readonly provedByAcp?: Proof
}

interface Proof {
  readonly version: string
  readonly capabilities: readonly Capability[]
}

/** Everything: `read` wrote nothing, and `edit` nothing outside the workspace, by tools or commands. */
const PROVED: readonly Capability[] = CAPABILITIES

export const CLIS: Readonly<Record<CliName, Cli>> = {
  claude: {
    title: 'Claude Code',
    install: 'npm install -g @anthropic-ai/claude-code',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    folder: { variable: 'CLAUDE_CONFIG_DIR', within: '', otherwise: '.claude' },
    credentials: ['.credentials.json'],
    means: {
      read: 'looks; changes no files',
      ask: 'looks; more only where your own settings of Claude Code allow it',
      edit: 'changes files; commands only where your own settings of Claude Code allow them',
      full: 'everything that you may do, without asking',
    },
    sandbox: null,
    proved: { version: '2.1.197', capabilities: PROVED },
  },
  codex: {
    title: 'Codex',
    install: 'npm install -g @openai/codex',
    keys: ['CODEX_API_KEY'],
    folder: { variable: 'CODEX_HOME', within: '', otherwise: '.codex' },
    credentials: ['auth.json'],
    means: {
      read: 'looks, in a sandbox that lets nothing be written',
      ask: 'the same as read',
      edit: 'changes files and runs commands, in a sandbox around its workspace',
      full: 'everything that you may do, without a sandbox',
    },
    sandbox: ['sandbox', '--'],
    proved: { version: '0.166.0', capabilities: PROVED },
  },
  opencode: {
    title: 'OpenCode',
    install: 'npm install -g opencode-ai',
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    folder: { variable: 'XDG_DATA_HOME', within: 'opencode', otherwise: '.local/share/opencode' },
    credentials: ['auth.json'],
    means: {
      read: 'looks; neither changes files nor runs commands',
      ask: 'the same as read: what it would ask for is refused',
      edit: 'changes files; runs no commands',
      full: 'everything that you may do, without asking',
    },
    sandbox: null,
    proved: { version: '1.18.33', capabilities: PROVED },
    // It reports only the usage of its last request.
    provedByAcp: { version: '1.18.33', capabilities: ['tools', 'resume', 'sandbox'] },
  },
  gemini: {
    title: 'Gemini CLI',
    install: 'npm install -g @google/gemini-cli',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    folder: { variable: 'GEMINI_CLI_HOME', within: '.gemini', otherwise: '.gemini' },
    credentials: ['oauth_creds.json'],
    means: {
      read: 'looks; neither changes files nor runs commands',
      ask: 'the same as read: what it would ask for is refused',
      edit: 'changes files; runs no commands',
      full: 'everything that you may do, without asking',
    },
    sandbox: null,
    proved: { version: '0.61.0', capabilities: PROVED },
    // It loses a session that is resumed within its first minute.
    provedByAcp: { version: '0.61.0', capabilities: ['tools', 'usage', 'sandbox'] },
  },
  hermes: {
    title: 'Hermes Agent',
    install: 'see https://hermes-agent.nousresearch.com/docs',
    keys: ['OPENROUTER_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_API_KEY'],
    folder: { variable: 'HERMES_HOME', within: '', otherwise: '.hermes' },
    credentials: ['auth.json', '.env'],
    means: {
      read: 'looks; runs no commands',
      ask: 'the same as read',
      edit: 'changes files in its workspace; runs no commands',
      full: 'everything that you may do, without asking',
    },
    sandbox: null,
    proved: null,
  },
}
