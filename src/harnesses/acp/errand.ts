/** What the client of an ACP agent is told: it stands in a file of the run, never on a command line. */
import type { Permissions } from '../../core/vocabulary.ts'
import type { McpEntry } from '../mcp-entry.ts'

export interface Errand {
  /** The agent's program, where it was found, and its arguments. */
  readonly program: string
  readonly args: readonly string[]
  readonly workspace: string
  /** The file with what the agent is told in a new session. */
  readonly briefing: string
  readonly tools: Pick<McpEntry, 'command' | 'args'>
  /** Where the tools write down who has started them. */
  readonly holder: string
  readonly permissions: Permissions
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /** The session to go on with, and the file with what is said there; null: a new one. */
  readonly session: string | null
  readonly message: string | null
  /** How long the agent may take to answer whatever comes before its work. */
  readonly sessionWaitMs: number
}
