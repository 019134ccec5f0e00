/** The assistants into which Muster can be installed. */
import { join } from 'node:path'
import { envValue, isList, isTable, serverIn, withEnv } from './assistant.ts'
import type { Assistant } from './assistant.ts'
import { jsonConfig } from './json-config.ts'
import type { AssistantName } from './names.ts'
import { tomlConfig } from './toml-config.ts'

/**
 * Claude Code stores the user's servers and its own state in one file. The file is plain JSON, and Claude Code 2.1
 * cannot read comments in it.
 */
const claude: Assistant = {
  title: 'Claude Code',
  program: 'claude',
  files: (home, env) => [join(envValue(env, 'CLAUDE_CONFIG_DIR') ?? home, '.claude.json')],
  format: jsonConfig('mcpServers', { comments: false, trailingCommas: false }),
  toEntry: (server) => ({ type: 'stdio', command: server.command, args: server.args, ...withEnv('env', server) }),
  fromEntry: serverIn,
  fields: ['type', 'command', 'args', 'env'],
}

/** Codex 0.166 passes only a few variables to servers. An entry must name all other variables. */
const codex: Assistant = {
  title: 'Codex',
  program: 'codex',
  files: (home, env) => [join(envValue(env, 'CODEX_HOME') ?? join(home, '.codex'), 'config.toml')],
  format: tomlConfig('mcp_servers'),
  toEntry: (server) => ({
    command: server.command,
    args: server.args,
    ...withEnv('env', server),
    ...(server.forward.length === 0 ? {} : { env_vars: server.forward }),
  }),
  fromEntry: serverIn,
  fields: ['command', 'args', 'env', 'env_vars'],
}

/** OpenCode 1.18 merges all of its files. It allows comments and trailing commas. */
const opencode: Assistant = {
  title: 'OpenCode',
  program: 'opencode',
  files: (home, env) => {
    const folder = join(envValue(env, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'opencode')
    return ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) => join(folder, name))
  },
  format: jsonConfig('mcp', { comments: true, trailingCommas: true }),
  toEntry: (server) => ({
    type: 'local',
    command: [server.command, ...server.args],
    ...withEnv('environment', server),
  }),
  fromEntry: ({ command, environment: env = {} }) => {
    if (!isList(command) || !isTable(env)) return null
    const [program = '', ...args] = command
    return { command: program, args, env, forward: [] }
  },
  fields: ['type', 'command', 'environment'],
}

/** Gemini CLI 0.61 allows comments, but no trailing commas. */
const gemini: Assistant = {
  title: 'Gemini CLI',
  program: 'gemini',
  files: (home, env) => [join(envValue(env, 'GEMINI_CLI_HOME') ?? home, '.gemini', 'settings.json')],
  format: jsonConfig('mcpServers', { comments: true, trailingCommas: false }),
  toEntry: (server) => ({ command: server.command, args: server.args, ...withEnv('env', server) }),
  fromEntry: serverIn,
  fields: ['command', 'args', 'env'],
}

export const ASSISTANTS: Readonly<Record<AssistantName, Assistant>> = { claude, codex, opencode, gemini }
