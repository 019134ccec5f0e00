/** The MCP entry for the board's tools of one run. */
import { socketEnvironment } from '../processes/environment.ts'
import type { Job } from './harness.ts'

type ToolAccess = Pick<Job, 'shim' | 'role' | 'task' | 'run' | 'socket'> & {
  readonly agent: Pick<Job['agent'], 'name'>
}

export interface McpEntry {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Builds the MCP entry. The entry contains the nonce, and the agent's environment does not. So an agent that the worker
 * starts cannot finish the card by accident.
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

/** The tools file, in the format that most agents read. */
export const toolsFile = (access: ToolAccess): string =>
  `${JSON.stringify({ mcpServers: { muster: mcpEntry(access) } }, null, 2)}\n`

/**
 * The command and arguments of the board's tools, for CLIs that take them as arguments or variables. Other users of the
 * machine can read arguments and variables, so the nonce stays in the tools file.
 */
export const toolsCommand = ({
  shim,
  role,
  directory,
}: Pick<Job, 'shim' | 'role' | 'directory'>): Pick<McpEntry, 'command' | 'args'> => {
  const [command, ...args] = [...shim, role, directory.mcp]
  return { command, args }
}
