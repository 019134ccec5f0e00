import { join } from 'node:path'
import { given, serverIn, withEnv } from './assistant.ts'
import type { Assistant } from './assistant.ts'
import { tomlConfig } from './toml-config.ts'

/** Starts servers with few variables of its own environment: others it must be told to hand on (0.166). */
export const codex: Assistant = {
  title: 'Codex',
  program: 'codex',
  files: (home, env) => [join(given(env, 'CODEX_HOME') ?? join(home, '.codex'), 'config.toml')],
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
