/**
 * Starts an agent CLI for a single question: it reads the question on standard input, uses no tool, and prints its
 * answer in the same form as in a run.
 */
import { join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import type { ModelCli } from '../config/models.ts'
import { option } from './cli-adapter.ts'
import { geminiFolder } from './gemini/home.ts'
import type { Launch } from './harness.ts'
import { PRINTS_LOG } from './opencode/log.ts'
import { changesByOpencode } from './opencode/user-files.ts'

export interface OneShot {
  readonly model: string | null
  /** The empty folder in which the CLI works. */
  readonly folder: string
  /** A folder beside `folder`, for files that the CLI needs. */
  readonly files: string
  readonly env: Environment
}

export type OneShotLaunch = Pick<Launch, 'env' | 'links' | 'unwantedChanges'> & {
  readonly args: readonly string[]
  readonly files?: Launch['files']
}

/** The features of Codex that give it tools. */
const CODEX_TOOLS = ['shell_tool', 'unified_exec', 'apps', 'plugins']

const LAUNCHES: Readonly<Record<ModelCli, (shot: OneShot) => OneShotLaunch>> = {
  claude: ({ model }) => ({
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      // These options turn off built-in tools, servers of the user, and skills.
      '--tools',
      '',
      '--strict-mcp-config',
      '--disable-slash-commands',
      '--no-session-persistence',
      ...option('--model', model),
    ],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
  }),
  // Codex always has some tools. Its sandbox keeps these tools from writing, and the features with a shell are off.
  codex: ({ model }) => ({
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--ephemeral',
      '--sandbox',
      'read-only',
      ...CODEX_TOOLS.flatMap((feature) => ['--disable', feature]),
      '-c',
      'mcp_servers={}',
      '-c',
      'web_search="disabled"',
      ...option('--model', model),
      '-',
    ],
  }),
  opencode: ({ model, folder, env }) => ({
    args: ['run', '--format', 'json', ...PRINTS_LOG, ...option('--model', model)],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        tools: { '*': false },
        permission: { '*': 'deny' },
      }),
    },
    unwantedChanges: changesByOpencode({ env, workspace: folder }),
  }),
  gemini: ({ model, files, env }) => {
    const own = join(files, 'gemini')
    const withoutTools = (settings: object): object => ({ ...settings, mcpServers: {}, tools: { core: [] } })
    return {
      args: ['--output-format', 'stream-json', '--skip-trust', ...option('--model', model)],
      env: { GEMINI_CLI_HOME: own },
      ...geminiFolder({ own, env, change: withoutTools }),
    }
  },
}

export const launchOneShot = (cli: ModelCli, shot: OneShot): OneShotLaunch => LAUNCHES[cli](shot)
