/** The job of the ACP client for one turn. The job is passed as a file, because other users can read a command line. */
import type { Permissions } from '../../core/vocabulary.ts'
import type { McpEntry } from '../mcp-entry.ts'

export interface AcpJob {
  /** The path of the agent's program. */
  readonly program: string
  readonly args: readonly string[]
  readonly workspace: string
  /** The file with the prompt for a new session. */
  readonly briefing: string
  readonly tools: Pick<McpEntry, 'command' | 'args'>
  /** The file in which the board's tools record the process that started them. */
  readonly holder: string
  readonly permissions: Permissions
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /**
   * The session to resume, and the file with the message for this session. Both are null if the turn begins a new
   * session.
   */
  readonly session: string | null
  readonly message: string | null
  /** The time limit for each answer before the prompt is sent. */
  readonly sessionWaitMs: number
}
