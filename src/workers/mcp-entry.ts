/** The board's tools for one run, as agents read such entries. */
import type { RunId } from '../core/ids.ts'
import type { Task } from '../core/task.ts'
import type { BoardRole } from './board-role.ts'

export interface ToolAccess {
  /** The program that serves the tools, and its first arguments. */
  readonly shim: readonly string[]
  readonly role: BoardRole
  readonly task: Pick<Task, 'id' | 'board'>
  readonly run: RunId
  readonly agent: string
  /** How the run's own processes reach their board; null: there is no way. */
  readonly channel: { readonly path: string; readonly nonce: string } | null
}

export interface McpEntry {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * The nonce stands here and not in the environment: what the agent starts in turn cannot finish its card by accident.
 */
export function mcpEntry({ shim, role, task, run, agent, channel }: ToolAccess): McpEntry {
  const [command, ...args] = [...shim, role]
  return {
    command,
    args,
    env: {
      MUSTER_TASK: task.id,
      MUSTER_RUN: run,
      MUSTER_BOARD: task.board,
      MUSTER_AGENT: agent,
      ...(channel === null ? {} : { MUSTER_SOCKET: channel.path, MUSTER_NONCE: channel.nonce }),
    },
  }
}
