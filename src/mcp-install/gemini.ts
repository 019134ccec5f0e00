import { join } from 'node:path'
import { given, serverIn, withEnv } from './assistant.ts'
import type { Assistant } from './assistant.ts'
import { jsonConfig } from './json-config.ts'

/** Takes comments out of its file before it reads it, but not a comma too many (0.61). */
export const gemini: Assistant = {
  title: 'Gemini CLI',
  program: 'gemini',
  files: (home, env) => [join(given(env, 'GEMINI_CLI_HOME') ?? home, '.gemini', 'settings.json')],
  format: jsonConfig('mcpServers', { comments: true, trailingCommas: false }),
  toEntry: (server) => ({ command: server.command, args: server.args, ...withEnv('env', server) }),
  fromEntry: serverIn,
  fields: ['command', 'args', 'env'],
}
