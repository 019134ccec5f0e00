/** The job of the ACP client for one turn. It is a file of the run, never on a command line. */
import type { Permissions } from '../../core/vocabulary.ts'
import type { McpEntry } from '../mcp-entry.ts'

export interface AcpJob {
  /** Its path. */
  readonly program: string
  readonly args: readonly string[]
  readonly workspace: string
  /** The file with the prompt for a new session. */
  readonly briefing: string
  readonly tools: Pick<McpEntry, 'command' | 'args'>
  /** The file in which the tools record the process that started them. */
  readonly holder: string
  readonly permissions: Permissions
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /** The session to resume, and the file with the message for it; null: a new session. */
  readonly session: string | null
  readonly message: string | null
  /** Time for each answer before the prompt. */
  readonly sessionWaitMs: number
}
