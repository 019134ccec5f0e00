import { join } from 'node:path'
import { given, serverIn, withEnv } from './assistant.ts'
import type { Assistant } from './assistant.ts'
import { jsonConfig } from './json-config.ts'

/** Servers for every project of a user stand beside everything else it remembers. Plain JSON: a comment breaks it (2.1). */
export const claude: Assistant = {
  title: 'Claude Code',
  program: 'claude',
  files: (home, env) => [join(given(env, 'CLAUDE_CONFIG_DIR') ?? home, '.claude.json')],
  format: jsonConfig('mcpServers', { comments: false, trailingCommas: false }),
  toEntry: (server) => ({ type: 'stdio', command: server.command, args: server.args, ...withEnv('env', server) }),
  fromEntry: serverIn,
  fields: ['type', 'command', 'args', 'env'],
}
