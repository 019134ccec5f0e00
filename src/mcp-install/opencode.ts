import { join } from 'node:path'
import { given, isList, isTable, withEnv } from './assistant.ts'
import type { Assistant } from './assistant.ts'
import { jsonConfig } from './json-config.ts'

/** Reads all of its files, one over the other, with comments and a comma too many (1.18). */
export const opencode: Assistant = {
  title: 'OpenCode',
  program: 'opencode',
  files: (home, env) => {
    const folder = join(given(env, 'XDG_CONFIG_HOME') ?? join(home, '.config'), 'opencode')
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
