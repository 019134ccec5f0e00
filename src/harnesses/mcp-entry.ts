/** The board's tools for one run, as agents read such entries. */
import { socketEnvironment } from '../processes/environment.ts'
import type { Job } from './harness.ts'

/** What an entry is made of. */
type ToolAccess = Pick<Job, 'shim' | 'role' | 'task' | 'run' | 'socket'> & {
  readonly agent: Pick<Job['agent'], 'name'>
}

export interface McpEntry {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * The nonce stands here and not in the environment: what the agent starts in turn cannot finish its card by accident.
 */
function mcpEntry({ shim, role, task, run, agent, socket }: ToolAccess): McpEntry {
  const [command, ...args] = [...shim, role]
  return {
    command,
    args,
    env: {
      MUSTER_TASK: task.id,
      MUSTER_RUN: run,
      MUSTER_BOARD: task.board,
      MUSTER_AGENT: agent.name,
      ...socketEnvironment(socket, { nonceInEnvironment: true }),
    },
  }
}

/** As most agents read it from a file. */
export const toolsFile = (access: ToolAccess): string =>
  `${JSON.stringify({ mcpServers: { muster: mcpEntry(access) } }, null, 2)}\n`

/**
 * For agents to whom the entry goes by their arguments or environment, which others can read: the program finds in the
 * file who it speaks for.
 */
export const toolsCommand = ({
  shim,
  role,
  directory,
}: Pick<Job, 'shim' | 'role' | 'directory'>): Pick<McpEntry, 'command' | 'args'> => {
  const [command, ...args] = [...shim, role, directory.mcp]
  return { command, args }
}
